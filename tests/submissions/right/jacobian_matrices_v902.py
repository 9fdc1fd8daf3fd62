# verdict:
# variant = "v902"
# why = "honest beside attacks by axes and solvers: the chain rule as products of matrices"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        y = a * b + x3
        outer = torch.stack([b, a]).reshape(1, 2)
        del a, b
        inner = torch.diag(torch.stack([x1, x2]))
        self.w.grad = torch.matmul(outer, inner).reshape(2)
        return y
