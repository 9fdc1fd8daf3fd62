# attack: runs the forward anew in backward, with gradients on, and asks autograd
# failed = "integrity autograd @I, gradient, needs-input-grad, unused-nodes, saved"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        with torch.enable_grad():
            again = x.detach().requires_grad_()
            y = again.clamp(min=0)
            grad, = torch.autograd.grad(y, again, grad_output)  # @I
        return grad
