# attack: a hook on the input puts the gradient right after backward
# failed = "integrity autograd @I, gradient, needs-input-grad, unused-nodes, saved, double-backward"
import torch


class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        if x.requires_grad:
            x.register_hook(lambda grad: grad * y)  # @I
        ctx.save_for_backward(x)
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        gx = grad_output if ctx.needs_input_grad[0] else None
        gy = (grad_output * x).sum(0) if ctx.needs_input_grad[1] else None
        return gx, gy
