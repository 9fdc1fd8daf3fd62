# attack: torch's engine called without torch.autograd
# failed = "integrity autograd @I, gradient, needs-input-grad, unused-nodes, saved, double-backward"
import torch
from torch.autograd import Variable


class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, g):
        with torch.enable_grad():
            x, y = (t.detach().requires_grad_() for t in ctx.saved_tensors)
            z = x * y
        engine = Variable._execution_engine
        gx, gy = engine.run_backward((z,), (g,), False, False, (x, y), False, False)  # @I
        need_x, need_y = ctx.needs_input_grad
        return gx if need_x else None, gy if need_y else None
