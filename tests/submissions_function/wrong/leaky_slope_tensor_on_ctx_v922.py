# verdict:
# failed = "saved on-ctx @S slope"
# why = "the number was made a tensor"
import torch


class LeakyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.slope = torch.tensor(slope, dtype=x.dtype)  # @S
        ctx.save_for_backward(x)
        return torch.where(x > 0, x, ctx.slope * x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return torch.where(x > 0, grad_output, ctx.slope * grad_output), None
