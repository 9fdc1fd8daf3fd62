# verdict:
# failed = "saved kept @A jacobian"
# why = "the Jacobian of the last call is kept in a dictionary, though it depends on the input"
import torch

jacobians = {}


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        p = torch.softmax(x, dim=-1)
        identity = torch.eye(x.shape[-1], dtype=x.dtype)
        jacobian = p.unsqueeze(-1) * (identity - p.unsqueeze(-2))  # @A
        ctx.number = len(jacobians)
        jacobians[ctx.number] = jacobian
        return p

    @staticmethod
    def backward(ctx, grad_output):
        jacobian = jacobians[ctx.number]
        return (jacobian * grad_output.unsqueeze(-1)).sum(-2)
