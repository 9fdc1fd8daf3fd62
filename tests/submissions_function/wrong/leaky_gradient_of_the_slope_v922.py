# verdict:
# failed = "gradient raises @P, needs-input-grad, unused-nodes, saved"
# why = "a gradient for the plain number: torch's engine refuses it"
import torch


class LeakyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return torch.where(x > 0, x, slope * x)

    @staticmethod
    def backward(ctx, grad_output):  # @P
        x, = ctx.saved_tensors
        dx = torch.where(x > 0, grad_output, ctx.slope * grad_output)
        dslope = (grad_output * x.clamp(max=0)).sum()
        return dx, dslope
