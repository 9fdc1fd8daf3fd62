# verdict:
# failed = "forward raises @F, gradient, needs-input-grad, unused-nodes, saved"
# why = "save_for_backward takes tensors only"
import torch


class LeakyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):  # @F
        ctx.save_for_backward(x, slope)
        return torch.where(x > 0, x, slope * x)

    @staticmethod
    def backward(ctx, grad_output):
        x, slope = ctx.saved_tensors
        return torch.where(x > 0, grad_output, slope * grad_output), None
