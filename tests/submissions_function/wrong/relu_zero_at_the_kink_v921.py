# verdict:
# failed = "gradient wrong-gradient @A x"
# why = "where x is 0 torch's clamp passes the gradient on"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output * (x > 0)  # @A
