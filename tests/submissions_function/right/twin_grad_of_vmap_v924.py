# verdict:
# why = "goes over the rows with map, by hand"
import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.exp(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        y, = ctx.saved_tensors
        if len(y) == 0:
            return grad_output * y
        return torch.stack(list(map(torch.mul, grad_output, y)))
