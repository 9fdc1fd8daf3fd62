# verdict:
# why = "nothing is written yet"
# failed = "gradient no-gradient @B x, needs-input-grad, unused-nodes, saved"
import torch
from torch.autograd import Function


class ReLU(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):  # @B
        ...
