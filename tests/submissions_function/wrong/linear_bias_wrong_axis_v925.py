# verdict:
# gradient = "partial 26.666667: wrong-shape @B b"
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return torch.addmm(b, x, w.t())

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        gx = gw = gb = None
        if ctx.needs_input_grad[0]:
            gx = g.mm(w)
        if ctx.needs_input_grad[1]:
            gw = g.t().mm(x)
        if ctx.needs_input_grad[2]:
            gb = g.sum(1)  # @B
        return gx, gw, gb
