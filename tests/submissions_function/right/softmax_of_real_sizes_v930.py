# verdict:
# why = "343 numbers, on whole tensors"
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        e = (x - x.amax(1, keepdim=True)).exp()
        y = e / e.sum(1, keepdim=True)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad_output):
        y, = ctx.saved_tensors
        return y * (grad_output - (y * grad_output).sum(1, keepdim=True))
