# verdict:
# failed = "gradient wrong-gradient @A x"
# why = "the factor grad_output is missing"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return (x >= 0).to(x.dtype)  # @A


x = torch.randn(4, 2, requires_grad=True)
ReLU.apply(x).sum().backward()
print(x.grad)
