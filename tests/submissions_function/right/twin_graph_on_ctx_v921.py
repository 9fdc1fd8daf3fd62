# verdict:
# why = "keeps sizes, a dtype and a flag on ctx, and no tensor"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.shape, ctx.dtype, ctx.leaf = x.shape, x.dtype, x.is_leaf
        ctx.save_for_backward(x < 0)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        negative, = ctx.saved_tensors
        grad = grad_output.clone()
        grad[negative] = 0
        return grad.reshape(ctx.shape).to(ctx.dtype)
