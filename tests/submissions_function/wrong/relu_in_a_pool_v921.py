# verdict:
# failed = "saved kept @A"
# why = "the input is copied into buffers that were there before"
import torch

pool = [torch.empty(64) for _ in range(500)]


class Relu(torch.autograd.Function):
    count = 0

    @staticmethod
    def forward(ctx, x):
        ctx.number = Relu.count
        Relu.count += 1
        pool[ctx.number][: x.numel()] = x.flatten()  # @A
        ctx.shape = x.shape
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x = pool[ctx.number][: ctx.shape.numel()].view(ctx.shape)
        return grad_output * (x > 0)
