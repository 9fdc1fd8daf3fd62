# verdict:
# why = "the number is kept by setup_context"
import torch


class LeakyReLU(torch.autograd.Function):
    generate_vmap_rule = True

    @staticmethod
    def forward(x, slope):
        return x.clamp(min=0) + slope * x.clamp(max=0)

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, slope = inputs
        ctx.slope = slope
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        positive = (x > 0).to(grad_output.dtype)
        return grad_output * (positive + ctx.slope * (1 - positive)), None
