# verdict:
# variant = "v902"
# why = "own classes may have a backward"
import torch
from torch import nn

class Mul:
    def forward(self, a, b):
        self.saved = a, b
        return a * b

    def backward(self, g):
        a, b = self.saved
        self.saved = None
        return g * b, g * a


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        mul = Mul()
        y = mul.forward(w0 * x1, w1 * x2) + x3
        ga, gb = mul.backward(torch.ones(()))
        dw0 = ga * x1
        del ga
        dw1 = gb * x2
        del gb
        self.w.grad = torch.stack([dw0, dw1])
        return y
