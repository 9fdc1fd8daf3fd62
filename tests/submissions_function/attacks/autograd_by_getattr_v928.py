# attack: autograd by a name that is put together
# failed = "integrity autograd @I, gradient, needs-input-grad, unused-nodes, saved, double-backward"
import torch

ask = getattr(getattr(torch, "auto" + "grad"), "gr" + "ad")


class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        with torch.enable_grad():
            x, y = (t.detach().requires_grad_() for t in ctx.saved_tensors)
            gx, gy = ask(x * y, (x, y), grad_output)  # @I
        need_x, need_y = ctx.needs_input_grad
        return gx if need_x else None, gy if need_y else None
