# verdict:
# failed = "gradient wrong-gradient @A x"
# why = "right only where grad_output is ones: then it is 0"
import torch


class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s = torch.softmax(x, dim=-1)
        ctx.save_for_backward(s)
        return s

    @staticmethod
    def backward(ctx, grad_output):
        s, = ctx.saved_tensors
        return s * (grad_output - s.sum(dim=-1, keepdim=True))  # @A


x = torch.randn(2, 3, requires_grad=True)
Softmax.apply(x).sum().backward()
print(x.grad)
