# attack: torch's own backward kernel of leaky_relu
# failed = "integrity built-in-derivative @I, gradient, needs-input-grad, unused-nodes, saved"
import torch
import torch.nn.functional as F


class LeakyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return F.leaky_relu(x, slope)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return torch.ops.aten.leaky_relu_backward(grad_output, x, ctx.slope, False), None  # @I
