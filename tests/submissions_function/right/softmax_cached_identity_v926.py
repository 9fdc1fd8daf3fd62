# verdict:
# why = "the identity matrix of each size is made once: no input has a part in it, so that it is no saved value"
import functools

import torch


@functools.lru_cache(maxsize=None)
def identity(size):
    return torch.eye(size)


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        p = torch.softmax(x, dim=-1)
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx, grad_output):
        (p,) = ctx.saved_tensors
        jacobian = p.unsqueeze(-1) * (identity(p.shape[-1]).to(p.dtype) - p.unsqueeze(-2))
        return (jacobian * grad_output.unsqueeze(-1)).sum(-2)
