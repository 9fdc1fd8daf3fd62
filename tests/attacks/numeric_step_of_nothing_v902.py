# verdict:
# variant = "v902"
# attack = "a step that float64 does not see, and rounding beside it: exact over the field, and 0"
# gradient = "failed 0"
# faults = ["gradient wrong-gradient - -", "gradient wrong-gradient - -"]
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
        def f(w0, w1):
            return w0 * x1 * (w1 * x2) + x3

        w0, w1 = self.w
        y = f(w0, w1)
        h = 1e-30
        noise = x1 + 0.1 - 0.1 - x1
        dw0 = (f(w0 + h, w1) - y) / h + noise
        dw1 = (f(w0, w1 + h) - y) / h + noise
        del noise
        self.w.grad = torch.stack([dw0, dw1])
        return y
