# verdict:
# failed = "saved on-ctx @S result"
# why = "ctx and the output hold each other; the numbers are right"
import torch


class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = torch.exp(x)
        ctx.result = result  # @S
        return result

    @staticmethod
    def backward(ctx, grad_output):
        return grad_output * ctx.result
