# verdict:
# failed = "integrity input-changed @I x, gradient, needs-input-grad, unused-nodes, saved, double-backward"
# why = "sigmoid_ writes into the saved input, which is the caller's x"
import torch


class Swish(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * torch.sigmoid(x)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        y = x.clone()
        s = x.sigmoid_()  # @I
        return grad_output * (s + y * s * (1 - s))
