# verdict:
# why = "the Jacobian of each column, written out"
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.softmax(x, 1)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        y, = ctx.saved_tensors
        p = y.transpose(1, 2)
        jacobian = torch.diag_embed(p) - p.unsqueeze(-1) * p.unsqueeze(-2)
        g = grad_output.transpose(1, 2).unsqueeze(-1)
        return (jacobian @ g).squeeze(-1).transpose(1, 2)
