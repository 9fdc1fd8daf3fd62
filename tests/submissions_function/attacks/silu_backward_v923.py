# attack: torch's own backward kernel of silu, found by its name
# failed = "integrity built-in-derivative @I, gradient, needs-input-grad, unused-nodes, saved, double-backward"
import torch

KERNEL = "_".join(("silu", "backward"))


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.nn.functional.silu(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return getattr(torch.ops.aten, KERNEL)(grad_output, x)  # @I
