# verdict:
# failed = "gradient raises @P, needs-input-grad, unused-nodes, saved"
# why = "no place for the index"
import torch


class AddRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, index, x):
        ctx.save_for_backward(index)
        return table.index_add(0, index, x)

    @staticmethod
    def backward(ctx, grad_output):  # @P
        index, = ctx.saved_tensors
        need_table, _, need_x = ctx.needs_input_grad
        return grad_output if need_table else None, grad_output[index] if need_x else None
