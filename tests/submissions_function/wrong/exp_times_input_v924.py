# verdict:
# failed = "gradient wrong-gradient @A x, double-backward wrong-second-order @A x"
# why = "the input is saved where the output is meant"
import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = x.exp()
        ctx.save_for_backward(x)
        return result

    @staticmethod
    def backward(ctx, grad_output):
        result, = ctx.saved_tensors
        return grad_output * result  # @A
