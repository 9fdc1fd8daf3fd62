# verdict:
# why = "sums the rows of each index; backward by advanced indices"
import torch
from torch import autograd


class GroupSum(autograd.Function):
    @staticmethod
    def forward(ctx, table, index, x):
        """table[k] + sum of x[i] where index[i] == k"""
        ctx.save_for_backward(index)
        places = torch.arange(table.shape[0])
        chosen = (index == places[:, None]).to(x.dtype)
        return torch.addmm(table, chosen, x)

    @staticmethod
    def backward(ctx, d_out):
        d_table = d_x = None
        if ctx.needs_input_grad[0]:
            d_table = d_out
        if ctx.needs_input_grad[2]:
            d_x = d_out[ctx.saved_tensors[0], :]
        return d_table, None, d_x
