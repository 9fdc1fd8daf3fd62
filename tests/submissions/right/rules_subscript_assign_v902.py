# verdict:
# variant = "v902"
import torch
from torch import nn
RULES = {}
RULES["mul"] = lambda a, b: a * b
RULES["add"] = lambda a, b: a + b
RULES.update(scale=lambda a, k: a * k)


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
        a = RULES["mul"](w0, x1)
        b = RULES["mul"](w1, x2)
        y = RULES["add"](RULES["mul"](a, b), x3)
        self.w.grad = torch.stack([RULES["scale"](b, x1), RULES["scale"](a, x2)])
        del a, b
        return y
