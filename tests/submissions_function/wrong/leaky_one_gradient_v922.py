# verdict:
# failed = "gradient raises @P, needs-input-grad, unused-nodes, saved"
# why = "two inputs, one returned gradient: torch's engine refuses it"
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
        return torch.where(x > 0, grad_output, ctx.slope * grad_output)
