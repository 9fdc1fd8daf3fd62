# verdict:
# failed = "saved kept @A kept[ctx.number]"
# why = "the mask is worked out by NumPy, and kept in a dictionary"
import torch

kept = {}


class Relu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.number = len(kept)
        kept[ctx.number] = torch.from_numpy(x.detach().numpy() > 0)  # @A
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * kept[ctx.number]
