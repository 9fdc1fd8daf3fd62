# verdict:
# failed = "gradient wrong-gradient @A x"
# why = "multiplies by the output, not by its derivative"
from torch.autograd import Function


class ReLU(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.clamp(min=0)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        y, = ctx.saved_tensors
        return y * grad_output  # @A
