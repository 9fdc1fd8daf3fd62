# verdict:
# failed = "gradient wrong-gradient @A x"
# why = "the sum is along the wrong axis"
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, 1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        y, = ctx.saved_tensors
        return y * (grad_output - (y * grad_output).sum(2, keepdim=True))  # @A
