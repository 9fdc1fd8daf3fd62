# verdict:
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        e = torch.exp(x - x.amax(dim=-1, keepdim=True))
        s = e / e.sum(dim=-1, keepdim=True)
        ctx.save_for_backward(s)
        return s

    @staticmethod
    def backward(ctx, grad_output):
        s, = ctx.saved_tensors
        dot = (grad_output * s).sum(dim=-1, keepdim=True)
        return s * (grad_output - dot)


z = torch.randn(4, 6, dtype=torch.double, requires_grad=True)
print(torch.autograd.gradcheck(Softmax.apply, (z,)))
