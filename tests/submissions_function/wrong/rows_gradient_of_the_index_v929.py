# verdict:
# needs-input-grad = "partial 6.666667: unneeded-gradient @I index"
# why = "a gradient for integers: torch's engine drops it"
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
            grad_table = grad_output
        grad_index = torch.zeros_like(index)  # @I
        if ctx.needs_input_grad[2]:
            grad_x = grad_output[index]
        return grad_table, grad_index, grad_x
