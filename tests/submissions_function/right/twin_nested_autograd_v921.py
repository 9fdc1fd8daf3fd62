# verdict:
# why = "turns gradients on in backward, and needs none of them"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        with torch.enable_grad():
            again = x.detach()
            grad = torch.where(again < 0, 0, grad_output)
        return grad
