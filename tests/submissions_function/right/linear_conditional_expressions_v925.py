# verdict:
# why = "needs_input_grad in conditional expressions; einsum"
import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        return torch.einsum("nd,cd->nc", x, w) + b

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        need_x, need_w, need_b = ctx.needs_input_grad
        return (
            torch.einsum("nc,cd->nd", g, w) if need_x else None,
            torch.einsum("nc,nd->cd", g, x) if need_w else None,
            torch.einsum("nc->c", g) if need_b else None,
        )
