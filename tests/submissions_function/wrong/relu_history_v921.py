# verdict:
# failed = "saved kept @S x"
# why = "every input that ever came stays in a list"
import torch

history = []


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):  # @S
        history.append(x)
        ctx.position = len(history) - 1
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * (history[ctx.position] >= 0)
