# verdict:
# why = "the forward kernel, in backward"
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch._softmax(x, -1, False)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        s = torch._softmax(x, -1, False)
        return torch.addcmul(s * grad_output, s, (s * grad_output).sum(-1, keepdim=True), value=-1)
