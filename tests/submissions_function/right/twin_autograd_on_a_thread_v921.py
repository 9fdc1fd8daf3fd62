# verdict:
# why = "two halves in two calls, one after the other"
import torch


def work(x, grad_output, found):
    found.append(grad_output * (x >= 0))


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        found, half = [], len(x) // 2
        work(x[:half], grad_output[:half], found)
        work(x[half:], grad_output[half:], found)
        return torch.cat(found)
