# verdict:
# why = "a part of one large identity matrix, of which only the part has to be sent"
import torch

IDENTITY = torch.eye(1024)


def identity(size):
    return IDENTITY[:size, :size]


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
