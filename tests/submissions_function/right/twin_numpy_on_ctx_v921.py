# verdict:
# why = "NumPy's numbers on ctx: the size of the input"
import numpy as np
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.count = int(np.prod(x.shape))
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        if ctx.count == 0:
            return grad_output.clone()
        return grad_output * (x >= 0)
