# verdict:
# variant = "v902"
# why = "a tape of closures, run backwards"
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
        tape = []
        a, b = w0 * x1, w1 * x2
        tape.append(lambda a=a: a * x2)
        tape.append(lambda b=b: b * x1)
        y = a * b + x3
        del a, b
        grads = []
        while tape:
            grads.append(tape.pop()())
        self.w.grad = torch.stack(grads)
        return y
