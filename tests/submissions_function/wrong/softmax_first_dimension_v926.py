# verdict:
# failed = "gradient wrong-gradient @A x"
# why = "backward sums over the rows, not along them"
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        e = x.exp()
        s = e / e.sum(dim=1, keepdim=True)
        ctx.save_for_backward(s)
        return s

    @staticmethod
    def backward(ctx, grad_output):
        s, = ctx.saved_tensors
        return s * (grad_output - (grad_output * s).sum(dim=0, keepdim=True))  # @A
