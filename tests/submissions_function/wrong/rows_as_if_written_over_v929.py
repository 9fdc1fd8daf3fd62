# verdict:
# gradient = "partial 20: wrong-gradient @T table"
# why = "takes the gradient away from the rows that were added to"
import torch


class AddRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, index, x):
        ctx.save_for_backward(index)
        return table.index_add(0, index, x)

    @staticmethod
    def backward(ctx, grad_output):
        index, = ctx.saved_tensors
        grad_table = grad_x = None
        if ctx.needs_input_grad[0]:
            grad_table = grad_output.clone()
            grad_table[index] = 0  # @T
        if ctx.needs_input_grad[2]:
            grad_x = grad_output[index]
        return grad_table, None, grad_x
