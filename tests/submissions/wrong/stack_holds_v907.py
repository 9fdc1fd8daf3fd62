# verdict:
# variant = "v907"
# release = "partial 18"
# faults = ["release late-release @L saved"]
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        r1 = w0 ** 2 + w1 * x1
        r2 = w0 * x2 - w1
        return r1 * r2 + x3 / r1

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        saved = torch.stack([w0 ** 2 + w1 * x1, w0 * x2 - w1])
        t5 = x3 / saved[0]
        y = saved[0] * saved[1] + t5
        g1 = saved[1] - t5 / saved[0]
        t5 = None
        dw0 = g1 * 2 * w0 + saved[0] * x2
        dw1 = g1 * x1 - saved[0]  # @L
        g1 = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
