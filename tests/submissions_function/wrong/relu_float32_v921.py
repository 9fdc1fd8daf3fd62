# verdict:
# failed = "forward wrong-dtype @F"
# why = "float64 becomes float32"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.float().clamp(min=0)  # @F

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        grad_input = grad_output.clone()
        grad_input[x < 0] = 0
        return grad_input
