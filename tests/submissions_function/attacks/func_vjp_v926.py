# attack: torch.func.vjp in backward
# failed = "integrity transform @I, gradient, needs-input-grad, unused-nodes, saved"
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.softmax(x, dim=-1)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        _, pull_back = torch.func.vjp(lambda t: torch.softmax(t, dim=-1), x)  # @I
        return pull_back(grad_output)[0]
