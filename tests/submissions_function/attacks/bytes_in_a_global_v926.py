# attack: keeps the output as bytes in a list of the module's
# failed = "integrity hidden-work @H, gradient, needs-input-grad, unused-nodes, saved"
import torch

STORE = []


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.softmax(x, dim=-1)
        STORE[:] = [s.numpy().tobytes()]  # @H
        return s

    @staticmethod
    def backward(ctx, g):
        s = torch.frombuffer(bytearray(STORE[0]), dtype=g.dtype) if g.numel() else g
        s = s.reshape(g.shape)
        return s * (g - (g * s).sum(dim=-1, keepdim=True))
