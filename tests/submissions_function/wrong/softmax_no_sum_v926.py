# verdict:
# failed = "gradient wrong-gradient @A x"
# why = "only the diagonal of the Jacobian"
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.softmax(x, dim=-1)
        ctx.save_for_backward(s)
        return s

    @staticmethod
    def backward(ctx, grad_output):
        s, = ctx.saved_tensors
        return grad_output * s * (1 - s)  # @A
