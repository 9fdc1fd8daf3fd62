# verdict:
# failed = "gradient wrong-gradient @A x"
# why = "right only where grad_output is the same everywhere"
import torch


class ReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.clamp(min=0)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        return (x >= 0) * grad_output.mean()  # @A


x = torch.randn(3, requires_grad=True)
ReLU.apply(x).sum().backward()
print(x.grad)
