# verdict:
# variant = "v907"
# why = "tangents instead of adjoints, as in the course seed"
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
        r1 = w0 ** 2 + w1 * x1
        r2 = w0 * x2 - w1
        q = x3 / r1
        y = r1 * r2 + q
        slope = -q / r1
        q = None
        # tangents along w0
        r1_dot = 2.0 * w0
        r2_dot = x2
        dw0 = r1_dot * r2 + r1 * r2_dot + slope * r1_dot
        r1_dot = None
        # tangents along w1
        r1_dot = x1
        r2_dot = -1.0
        dw1 = r1_dot * r2 + r1 * r2_dot + slope * r1_dot
        r1 = r2 = slope = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
