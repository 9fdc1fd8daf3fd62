# verdict:
# variant = "v901"
# notes = ["judged on 400 points"]
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2):
        w0, w1 = self.w
        return torch.relu(w0 * x1) + w1 * x2

    def my_forward_backward(self, x1, x2):
        w0, w1 = self.w
        a = w0 * x1
        if a > 0:
            dw0 = x1 * 1.0
            r = a * 1.0
        else:
            r = torch.zeros_like(a)
            dw0 = torch.zeros_like(x1)
        del a
        y = r + w1 * x2
        del r
        dw1 = x2 * 1.0
        self.w.grad = torch.stack([dw0, dw1])
        return y
