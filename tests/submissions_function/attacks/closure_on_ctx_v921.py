# attack: keeps a function on ctx that has the mask in its closure
# failed = "saved kept @S mask"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mask = x >= 0  # @S
        ctx.rule = lambda grad: grad * mask
        return x * mask

    @staticmethod
    def backward(ctx, grad_output):
        return ctx.rule(grad_output)
