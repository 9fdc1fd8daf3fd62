# verdict:
# variant = "v907"
# release = "partial 4"
# faults = [
#   "release late-release @R t1",
#   "release late-release @R t2",
#   "release late-release @S t3",
#   "release late-release @Y t4",
#   "release late-release @G r2",
#   "release late-release @G t5",
#   "release late-release @B g1",
#   "release late-release @B r1",
# ]
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
        t1 = w0 ** 2
        t2 = w1 * x1
        r1 = t1 + t2  # @R
        t3 = w0 * x2
        r2 = t3 - w1  # @S
        t4 = r1 * r2
        t5 = x3 / r1
        y = t4 + t5  # @Y

        g1 = r2 - t5 / r1  # @G
        dw0 = g1 * 2 * w0 + r1 * x2
        dw1 = g1 * x1 - r1  # @B
        self.w.grad = torch.stack([dw0, dw1])
        return y
