# verdict:
# why = "index_put_ that accumulates, in place on a copy"
import torch
from torch import Tensor


class Accumulate(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table: Tensor, index: Tensor, x: Tensor) -> Tensor:
        if ctx.needs_input_grad[2]:
            ctx.save_for_backward(index)
        result = table.clone()
        return result.index_put_((index,), x, accumulate=True)

    @staticmethod
    def backward(ctx, grad_output: Tensor):
        grad_table = grad_x = None
        if ctx.needs_input_grad[0]:
            grad_table = grad_output.clone()
        if ctx.needs_input_grad[2]:
            index, = ctx.saved_tensors
            grad_x = grad_output.index_select(0, index)
        return grad_table, None, grad_x
