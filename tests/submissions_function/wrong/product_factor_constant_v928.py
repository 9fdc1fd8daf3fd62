# verdict:
# gradient = "partial 20: no-gradient @P y"
# double-backward = "partial 10: wrong-second-order @P y"
# why = "takes y for a constant"
import torch


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(y)
        return x * y

    @staticmethod
    def backward(ctx, grad_output):  # @P
        y, = ctx.saved_tensors
        return grad_output * y if ctx.needs_input_grad[0] else None, None
