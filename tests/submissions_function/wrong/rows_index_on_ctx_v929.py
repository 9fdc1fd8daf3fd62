# verdict:
# failed = "saved on-ctx @S index"
# why = "integers are a tensor, too"
import torch


class AddRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, index, x):
        ctx.index = index  # @S
        return table.index_add(0, index, x)

    @staticmethod
    def backward(ctx, grad_output):
        grad_table = grad_output if ctx.needs_input_grad[0] else None
        grad_x = grad_output[ctx.index] if ctx.needs_input_grad[2] else None
        return grad_table, None, grad_x
