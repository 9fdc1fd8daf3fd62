# verdict:
# why = "jacobian is the student's own function"
import torch


def jacobian(s):
    return torch.diag_embed(s) - torch.einsum("ni,nj->nij", s, s)


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.softmax(x, dim=-1)
        ctx.save_for_backward(s)
        return s

    @staticmethod
    def backward(ctx, grad_output):
        s, = ctx.saved_tensors
        return torch.einsum("nd,ndk->nk", grad_output, jacobian(s))
