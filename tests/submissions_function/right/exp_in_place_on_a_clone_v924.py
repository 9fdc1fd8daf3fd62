# verdict:
# why = "in place, but on a clone of grad_output: it can still be differentiated"
import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.clone()
        y.exp_()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        y, = ctx.saved_tensors
        grad = grad_output.clone()
        grad *= y
        return grad
