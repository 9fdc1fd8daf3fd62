# verdict:
# why = "a plain integer on ctx: the number of columns"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.columns = x.shape[-1]
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        columns = [grad_output[:, n] * (x[:, n] >= 0) for n in range(ctx.columns)]
        return torch.stack(columns, dim=1)
