# verdict:
# variant = "v902"
# why = "reverse mode over tuples, by match"
import torch
from torch import nn


def step(node):
    match node:
        case ("mul", left, right):
            return left * right
        case ("add", left, right):
            return left + right


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = step(("mul", w0, x1))
        b = step(("mul", w1, x2))
        y = step(("add", step(("mul", a, b)), x3))
        dw0 = step(("mul", b, x1))
        del b
        dw1 = step(("mul", a, x2))
        del a
        self.w.grad = torch.stack([dw0, dw1])
        return y
