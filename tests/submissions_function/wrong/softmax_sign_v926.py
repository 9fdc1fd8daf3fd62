# verdict:
# failed = "gradient wrong-gradient @A x"
# why = "the sum is added, not subtracted"
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
        inner = (s * grad_output).sum(dim=-1, keepdim=True)
        return s * (grad_output + inner)  # @A
