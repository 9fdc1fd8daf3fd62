# verdict:
# why = "asks needs_input_grad in forward already"
import torch


class AffineFn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        need_x, need_w, _ = ctx.needs_input_grad
        ctx.save_for_backward(x if need_w else None, w if need_x else None)
        return torch.addmm(b, x, w.T)

    @staticmethod
    def backward(ctx, grad_out):
        x, w = ctx.saved_tensors
        dx = None if w is None else grad_out @ w
        dw = None if x is None else grad_out.T @ x
        db = grad_out.sum(dim=0) if ctx.needs_input_grad[2] else None
        return dx, dw, db
