# verdict:
# why = "attributes that a tensor has anyway"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.detach())
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        zeros = torch.zeros((), dtype=x.dtype, device=x.device)
        return torch.where(x >= 0, grad_output, zeros)
