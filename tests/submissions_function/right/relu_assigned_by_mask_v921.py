# verdict:
# why = "fills zeros where the mask says so"
import torch

EPS = 0.0


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        out = torch.zeros_like(x)
        keep = x > EPS
        out[keep] = x[keep]
        return out

    @staticmethod
    def backward(ctx, dout):
        x, = ctx.saved_tensors
        dx = torch.zeros_like(dout)
        keep = x >= EPS
        dx[keep] = dout[keep]
        return dx


# check against torch
a = torch.randn(3, 3, requires_grad=True)
b = a.detach().clone().requires_grad_(True)
g = torch.randn(3, 3)
ReLU.apply(a).backward(g)
torch.relu(b).backward(g)
print((a.grad - b.grad).abs().max())
