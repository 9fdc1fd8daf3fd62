# verdict:
# failed = "forward wrong-value @F"
import torch


class AddRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, index, x):
        ctx.save_for_backward(index)
        out = torch.zeros_like(table)
        return out.index_add(0, index, x)  # @F

    @staticmethod
    def backward(ctx, grad_output):
        index, = ctx.saved_tensors
        grad_table = grad_output if ctx.needs_input_grad[0] else None
        grad_x = grad_output[index] if ctx.needs_input_grad[2] else None
        return grad_table, None, grad_x
