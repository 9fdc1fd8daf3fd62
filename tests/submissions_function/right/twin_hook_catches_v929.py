# verdict:
# why = "new zeros are made in backward, and rows are put into them"
import torch


class AddRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, index, x):
        ctx.save_for_backward(index)
        return table.index_add(0, index, x)

    @staticmethod
    def backward(ctx, grad_output):
        index, = ctx.saved_tensors
        need_table, _, need_x = ctx.needs_input_grad
        grad_x = None
        if need_x:
            grad_x = grad_output.new_zeros(len(index), grad_output.shape[1])
            for row, place in enumerate(index):
                grad_x[row] = grad_output[place]
        return grad_output if need_table else None, None, grad_x
