# verdict:
# gradient = "partial 20: wrong-shape @X x"
# why = "the gradient of x is that of the table"
import torch


class AddRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, index, x):
        return table.index_add(0, index, x)

    @staticmethod
    def backward(ctx, grad_output):
        grad_table = grad_output.clone() if ctx.needs_input_grad[0] else None
        grad_x = grad_output.clone() if ctx.needs_input_grad[2] else None  # @X
        return grad_table, None, grad_x
