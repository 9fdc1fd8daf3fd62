# verdict:
# failed = "forward wrong-value @F"
# why = "out[index] += x adds only one of the rows that share an index"
import torch


class AddRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, index, x):
        ctx.save_for_backward(index)
        out = table.clone()
        out[index] += x  # @F
        return out

    @staticmethod
    def backward(ctx, grad_output):
        index, = ctx.saved_tensors
        need_table, _, need_x = ctx.needs_input_grad
        return (
            grad_output.clone() if need_table else None,
            None,
            grad_output[index] if need_x else None,
        )
