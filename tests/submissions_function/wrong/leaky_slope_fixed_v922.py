# verdict:
# failed = "gradient wrong-gradient @A x"
# why = "backward takes 0.01 for every slope"
import torch


class LeakyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope=0.01):
        ctx.save_for_backward(x)
        out = x.clone()
        out[x <= 0] *= slope
        return out

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[x <= 0] *= 0.01  # @A
        return grad_input, None
