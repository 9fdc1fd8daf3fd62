# verdict:
# why = "needs_input_grad is asked although there is one input that can need one"
import torch


class Leaky(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        positive = x > 0
        ctx.alpha = float(slope)
        if ctx.needs_input_grad[0]:
            ctx.save_for_backward(positive)
        return x * positive + ctx.alpha * x * ~positive

    @staticmethod
    def backward(ctx, grad_output):
        if not any(ctx.needs_input_grad):
            return None, None
        positive, = ctx.saved_tensors
        through = grad_output * positive
        leaked = grad_output * ~positive
        return through + ctx.alpha * leaked, None
