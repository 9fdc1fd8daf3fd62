# verdict:
# why = "a short way where grad_output is all zeros"
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.softmax(x, dim=-1)
        ctx.save_for_backward(s)
        return s

    @staticmethod
    def backward(ctx, grad_output):
        if not grad_output.any():
            return torch.zeros_like(grad_output)
        s, = ctx.saved_tensors
        weighted = grad_output * s
        return weighted - s * weighted.sum(dim=-1, keepdim=True)
