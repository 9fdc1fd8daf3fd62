# verdict:
# why = "saves the input and takes the softmax anew"
import torch


def softmax(x, dim):
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.dim = -1
        ctx.save_for_backward(x)
        return softmax(x, ctx.dim)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        p = softmax(x, ctx.dim)
        weighted = p * grad_output
        return weighted - p * weighted.sum(ctx.dim, keepdim=True)
