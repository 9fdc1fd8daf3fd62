# verdict:
# failed = "forward raises @F"
# why = "view of an input that is not contiguous"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.view(-1).clamp(min=0).view(x.shape)  # @F

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output * (x >= 0)
