# verdict:
# variant = "v907"
# manual-forward = "failed 0"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["manual-forward hidden-work @I -", "integrity hidden-work @I -"]
import numpy as np
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
        w0, w1 = self.w.detach().numpy()  # @I
        x1, x2, x3 = x1.numpy(), x2.numpy(), x3.numpy()
        r1 = w0 ** 2 + w1 * x1
        r2 = w0 * x2 - w1
        y = r1 * r2 + x3 / r1
        g1 = r2 - x3 / r1 ** 2
        self.w.grad = torch.tensor(np.array([g1 * 2 * w0 + r1 * x2, g1 * x1 - r1], dtype=np.float32))
        return torch.tensor(y)
