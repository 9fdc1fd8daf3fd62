# verdict:
# why = "F.linear as the product, in forward and in backward"
import torch
import torch.nn.functional as F


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return F.linear(x, w, b)

    @staticmethod
    def backward(ctx, grad_output):
        x, w = ctx.saved_tensors
        dx = dw = db = None
        if ctx.needs_input_grad[0]:
            dx = F.linear(grad_output, w.t())
        if ctx.needs_input_grad[1]:
            dw = F.linear(grad_output.t(), x.t())
        if ctx.needs_input_grad[2]:
            db = grad_output.sum(0)
        return dx, dw, db
