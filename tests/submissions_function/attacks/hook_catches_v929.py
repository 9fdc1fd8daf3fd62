# attack: hooks catch the gradients of a forward that backward runs anew
# failed = "integrity autograd @I, gradient, needs-input-grad, unused-nodes, saved"
import torch


class AddRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, index, x):
        ctx.save_for_backward(index)
        return table.index_add(0, index, x)

    @staticmethod
    def backward(ctx, grad_output):
        index, = ctx.saved_tensors
        caught = {}
        with torch.enable_grad():
            table = torch.zeros_like(grad_output).requires_grad_()
            rows = grad_output.new_zeros(len(index), grad_output.shape[1]).requires_grad_()
            table.register_hook(lambda grad: caught.update(table=grad))  # @I
            rows.register_hook(lambda grad: caught.update(rows=grad))
            table.index_add(0, index, rows).backward(grad_output)
        need_table, _, need_x = ctx.needs_input_grad
        return caught["table"] if need_table else None, None, caught["rows"] if need_x else None
