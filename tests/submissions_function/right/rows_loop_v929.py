# verdict:
# why = "one row after the other, in a clone of the table"
import torch


class ScatterAdd(torch.autograd.Function):
    @staticmethod
    def forward(table, index, x):
        out = table.clone()
        for i, row in zip(index, x):
            out[i] += row
        return out

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, index, _ = inputs
        ctx.save_for_backward(index)

    @staticmethod
    def backward(ctx, grad_output):
        index, = ctx.saved_tensors
        dtable = dx = None
        if ctx.needs_input_grad[0]:
            dtable = grad_output
        if ctx.needs_input_grad[2]:
            dx = torch.index_select(grad_output, 0, index)
        return dtable, None, dx
