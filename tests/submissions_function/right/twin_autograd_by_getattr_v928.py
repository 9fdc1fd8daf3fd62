# verdict:
# why = "functions found by name: sums and products"
import torch

times, total = (getattr(torch, name) for name in ("mul", "sum"))


class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return times(x, y)

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        need_x, need_y = ctx.needs_input_grad
        return (
            times(grad_output, y) if need_x else None,
            total(times(grad_output, x), dim=0) if need_y else None,
        )
