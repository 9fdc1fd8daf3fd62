# verdict:
# why = "the gradient of w as a sum of outer products; that of b by a line of ones"
import torch


class LinearFn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias):
        ctx.save_for_backward(x, weight)
        return torch.nn.functional.linear(x, weight, bias)

    @staticmethod
    def backward(ctx, dy):
        x, weight = ctx.saved_tensors
        dx = dweight = dbias = None
        if ctx.needs_input_grad[0]:
            dx = (dy.unsqueeze(2) * weight).sum(1)
        if ctx.needs_input_grad[1]:
            dweight = (dy.unsqueeze(2) * x.unsqueeze(1)).sum(0)
        if ctx.needs_input_grad[2]:
            dbias = torch.ones(dy.shape[0], dtype=dy.dtype) @ dy
        return dx, dweight, dbias
