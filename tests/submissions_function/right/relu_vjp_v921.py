# verdict:
# why = "torch takes the name vjp for backward"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.clamp_min(0)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    @staticmethod
    def vjp(ctx, cotangent):
        x, = ctx.saved_tensors
        return cotangent * torch.ge(x, 0)
