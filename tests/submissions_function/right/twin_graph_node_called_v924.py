# verdict:
# why = "keeps on ctx the function that backward calls; the tensor is saved"
import torch


def scaled(grad, factor):
    return grad * factor


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.node = scaled
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        return ctx.node(grad_output, *ctx.saved_tensors)
