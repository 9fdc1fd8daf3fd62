# verdict:
# failed = "forward raises @I, integrity input-changed @I x, gradient, needs-input-grad, unused-nodes, saved, double-backward"
# why = "writes into the input"
import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp_()  # @I
        ctx.save_for_backward(y)
        return y.clone()

    @staticmethod
    def backward(ctx, grad_output):
        y, = ctx.saved_tensors
        return grad_output * y
