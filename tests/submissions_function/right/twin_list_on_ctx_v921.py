# verdict:
# why = "lists on ctx: sizes and strides"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.sizes, ctx.strides = list(x.shape), list(x.stride())
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return (grad_output * (x >= 0)).reshape(ctx.sizes)
