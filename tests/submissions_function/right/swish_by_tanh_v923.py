# verdict:
# why = "the sigmoid by tanh; the derivative in a function"
import torch


def sigmoid(x):
    return 0.5 * (torch.tanh(0.5 * x) + 1)


def swish_prime(x):
    s = sigmoid(x)
    return s + x * (s - s**2)


class SwishFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, i):
        ctx.save_for_backward(i)
        return i.mul(sigmoid(i))

    @staticmethod
    def backward(ctx, grad_output):
        i, = ctx.saved_tensors
        return swish_prime(i) * grad_output
