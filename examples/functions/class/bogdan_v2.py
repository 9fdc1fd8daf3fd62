import torch


class LinearFunction(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w, b)
        return x @ w + b

    @staticmethod
    def backward(ctx, grad_output):
        x, w, b = ctx.saved_tensors
        grad_x = grad_output @ w.T
        grad_w = x.T @ grad_output
        grad_b = grad_output.mean(dim=0)
        return grad_x, grad_w, grad_b


linear = LinearFunction.apply
x = torch.randn(5, 3, requires_grad=True)
w = torch.randn(3, 2, requires_grad=True)
b = torch.zeros(2, requires_grad=True)
linear(x, w, b).sum().backward()
print(w.grad)
