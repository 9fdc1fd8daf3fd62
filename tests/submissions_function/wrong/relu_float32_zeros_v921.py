# verdict:
# failed = "forward raises @F"
# why = "zeros are float32: float64 cannot be written into them"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mask = x >= 0
        ctx.save_for_backward(mask)
        out = torch.zeros(x.shape)
        out[mask] = x[mask]  # @F
        return out

    @staticmethod
    def backward(ctx, grad_output):
        mask, = ctx.saved_tensors
        return grad_output * mask
