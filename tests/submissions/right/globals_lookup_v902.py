# verdict:
# variant = "v902"
import torch
from torch import nn
def op_mul(a, b): return a * b
def op_add(a, b): return a + b


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    @torch.no_grad()
    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        mul, add = globals()["op_mul"], globals()["op_add"]
        a, b = mul(w0, x1), mul(w1, x2)
        y = add(mul(a, b), x3)
        self.w.grad = torch.stack([mul(b, x1), mul(a, x2)])
        del a, b
        return y
