# verdict:
# why = "setup_context saves the output; einsum"
import torch
from torch.autograd.function import once_differentiable


class SoftmaxFn(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return torch.exp(x - torch.logsumexp(x, dim=-1, keepdim=True))

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    @once_differentiable
    def backward(ctx, g):
        (p,) = ctx.saved_tensors
        inner = torch.einsum("nd,nd->n", g, p)
        return p * g - p * inner[:, None]
