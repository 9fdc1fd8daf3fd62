# verdict:
# variant = "v902"
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
        values = {}
        for name in ("a", "b"):
            match name:
                case "a":
                    values[name] = w0 * x1
                case _:
                    values[name] = w1 * x2
        y = values["a"] * values["b"] + x3
        grads = []
        for name in ("b", "a"):
            match name:
                case "b":
                    grads.append(values.pop(name) * x1)
                case "a":
                    grads.append(values.pop(name) * x2)
        self.w.grad = torch.stack(grads)
        return y
