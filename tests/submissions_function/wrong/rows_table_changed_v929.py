# verdict:
# failed = "forward raises @I, integrity input-changed @I table, gradient, needs-input-grad, unused-nodes, saved"
# why = "adds into the caller's table"
import torch


class AddRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, index, x):
        ctx.save_for_backward(index)
        table.index_add_(0, index, x)  # @I
        return table.clone()

    @staticmethod
    def backward(ctx, grad_output):
        index, = ctx.saved_tensors
        grad_table = grad_output if ctx.needs_input_grad[0] else None
        grad_x = grad_output[index] if ctx.needs_input_grad[2] else None
        return grad_table, None, grad_x
