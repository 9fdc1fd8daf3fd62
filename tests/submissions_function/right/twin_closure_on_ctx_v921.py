# verdict:
# why = "the closure on ctx has a number, not a tensor"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        threshold = 0.0
        ctx.rule = lambda grad, x: grad * (x >= threshold)
        ctx.save_for_backward(x)
        return x.clamp(min=threshold)

    @staticmethod
    def backward(ctx, grad_output):
        return ctx.rule(grad_output, *ctx.saved_tensors)
