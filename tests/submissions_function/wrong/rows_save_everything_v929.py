# verdict:
# failed = "saved saved-unread @S table, saved saved-unread @S x"
import torch


class AddRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, index, x):
        ctx.save_for_backward(table, index, x)  # @S
        out = table.clone()
        out.index_add_(0, index, x)
        return out

    @staticmethod
    def backward(ctx, grad_output):
        table, index, x = ctx.saved_tensors
        grad_table = grad_output if ctx.needs_input_grad[0] else None
        grad_x = grad_output[index] if ctx.needs_input_grad[2] else None
        return grad_table, None, grad_x
