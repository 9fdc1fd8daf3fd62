# verdict:
# why = "grad is the name of a function of the student's"
import torch


def grad(x):
    s = torch.sigmoid(x)
    return s * (1 + x) - x * s * s


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * grad(ctx.saved_tensors[0])
