# verdict:
# why = "writes the result into memory of its own; the shape is kept as a number"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.shape = tuple(x.shape)
        ctx.save_for_backward(x.reshape(-1) < 0)
        result = torch.empty_like(x)
        torch.clamp(x, min=0, out=result)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        negative, = ctx.saved_tensors
        grad = grad_output.reshape(-1).clone()
        grad[negative] = 0.0
        return grad.reshape(ctx.shape)
