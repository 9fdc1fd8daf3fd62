# verdict:
# why = "scatter_add in forward, gather in backward"
import torch
from torch.autograd.function import once_differentiable


class ScatterRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, index, x):
        wide = index.unsqueeze(1).expand_as(x)
        ctx.save_for_backward(index)
        return table.scatter_add(0, wide, x)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_output):
        index, = ctx.saved_tensors
        grad_table = grad_x = None
        if ctx.needs_input_grad[0]:
            grad_table = grad_output.clone()
        if ctx.needs_input_grad[2]:
            wide = index.unsqueeze(1).expand(-1, grad_output.size(1))
            grad_x = grad_output.gather(0, wide)
        return grad_table, None, grad_x
