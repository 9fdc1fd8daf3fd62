# verdict:
# why = "a list of the module's, with settings and no values"
import torch

SETTINGS = [("dim", -1), ("keepdim", True)]


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.softmax(x, dim=dict(SETTINGS)["dim"])
        ctx.save_for_backward(s)
        return s

    @staticmethod
    def backward(ctx, g):
        s, = ctx.saved_tensors
        return s * (g - (g * s).sum(**dict(SETTINGS)))
