# verdict:
# failed = "double-backward wrong-second-order @A x"
# why = "detach in backward"
import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x.sigmoid()

    @staticmethod
    def backward(ctx, grad_output):
        x = ctx.saved_tensors[0].detach()
        s = x.sigmoid()
        return grad_output * (s * (1 + x * (1 - s)))  # @A
