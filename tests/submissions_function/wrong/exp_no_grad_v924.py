# verdict:
# failed = "double-backward wrong-second-order @A x"
# why = "under no_grad nothing of backward is recorded"
import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.exp()

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        with torch.no_grad():
            grad = grad_output * x.exp()  # @A
        return grad
