# verdict:
# why = "einsum sums over the rows"
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return torch.einsum("nd,d->nd", x, y)

    @staticmethod
    def backward(ctx, g):
        x, y = ctx.saved_tensors
        gx, gy = None, None
        if ctx.needs_input_grad[0]:
            gx = torch.einsum("nd,d->nd", g, y)
        if ctx.needs_input_grad[1]:
            gy = torch.einsum("nd,nd->d", g, x)
        return gx, gy
