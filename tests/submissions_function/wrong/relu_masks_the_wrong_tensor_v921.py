# verdict:
# failed = "gradient wrong-gradient @A x"
# why = "cuts where the gradient, not the input, is negative"
import torch


class MyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input):
        return input.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output.clamp(min=0)  # @A
