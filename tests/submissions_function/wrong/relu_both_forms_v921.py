# verdict:
# status = "unreadable: signature @F"
# why = "beside setup_context forward has no ctx"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):  # @F
        return x.clamp(min=0)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return grad_output * (x >= 0)
