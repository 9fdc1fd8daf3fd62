# verdict:
# failed = "gradient raises @P, needs-input-grad, unused-nodes, saved"
# why = "a list of gradients: torch wants a tensor or a tuple"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):  # @P
        x, = ctx.saved_tensors
        return [grad_output * (x >= 0)]
