# verdict:
# gradient = "partial 20: no-gradient @P x"
# needs-input-grad = "partial 6.666667: unneeded-gradient @X index"
# why = "the gradient of x stands in the place of the index"
import torch


class AddRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, index, x):
        ctx.save_for_backward(index)
        return table.index_add(0, index, x)

    @staticmethod
    def backward(ctx, grad_output):  # @P
        index, = ctx.saved_tensors
        grad_table = grad_x = None
        if ctx.needs_input_grad[0]:
            grad_table = grad_output
        if ctx.needs_input_grad[2]:
            grad_x = grad_output[index]  # @X
        return grad_table, grad_x, None
