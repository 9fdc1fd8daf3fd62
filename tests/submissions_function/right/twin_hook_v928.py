# verdict:
# why = "hooks in the tests below the class, that only print"
import torch


class Mul(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx, grad_output):
        x, y = ctx.saved_tensors
        gx = grad_output * y if ctx.needs_input_grad[0] else None
        gy = (grad_output * x).sum(0) if ctx.needs_input_grad[1] else None
        return gx, gy


x = torch.randn(2, 3, requires_grad=True)
y = torch.randn(3, requires_grad=True)
x.register_hook(lambda grad: print("x:", grad))
y.register_hook(lambda grad: print("y:", grad))
Mul.apply(x, y).sum().backward()
