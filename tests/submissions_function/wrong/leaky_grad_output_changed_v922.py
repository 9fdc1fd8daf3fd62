# verdict:
# failed = "integrity input-changed @I grad_output, gradient, needs-input-grad, unused-nodes, saved"
import torch


class LeakyReLUFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, alpha):
        ctx.alpha = alpha
        ctx.save_for_backward(x <= 0)
        return torch.where(x > 0, x, alpha * x)

    @staticmethod
    def backward(ctx, grad_output):
        below, = ctx.saved_tensors
        grad_output[below] *= ctx.alpha  # @I
        return grad_output, None
