# verdict:
# failed = "forward wrong-value @F, gradient wrong-gradient @A x"
# why = "the softmax of columns, consistently"
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.softmax(x, dim=0)  # @F
        ctx.save_for_backward(s)
        return s

    @staticmethod
    def backward(ctx, grad_output):
        s, = ctx.saved_tensors
        return s * (grad_output - (s * grad_output).sum(0))  # @A
