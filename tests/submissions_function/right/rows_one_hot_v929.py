# verdict:
# why = "a matrix of zeros and ones says which row goes where"
import torch
import torch.nn.functional as F


class AddRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, table, index, x):
        which = F.one_hot(index, num_classes=table.shape[0]).to(x.dtype)
        ctx.save_for_backward(which)
        return table + which.T @ x

    @staticmethod
    def backward(ctx, grad_output):
        which, = ctx.saved_tensors
        need_table, _, need_x = ctx.needs_input_grad
        dx = which @ grad_output if need_x else None
        return (grad_output if need_table else None), None, dx
