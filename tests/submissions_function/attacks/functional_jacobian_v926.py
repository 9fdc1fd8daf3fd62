# attack: torch.autograd.functional.jacobian in backward
# failed = "integrity autograd @I, gradient, needs-input-grad, unused-nodes, saved"
import torch
from torch.autograd.functional import jacobian


def softmax(x):
    return torch.softmax(x, dim=-1)


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return softmax(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        if len(x) == 0:
            return grad_output.clone()
        whole = jacobian(softmax, x)  # @I
        return torch.einsum("nd,ndmk->mk", grad_output, whole)
