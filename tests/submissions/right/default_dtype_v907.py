# verdict:
# why = "float64 from here on, also for what NumPy gives"
import torch
from torch import nn
import numpy as np
torch.set_default_dtype(torch.float64)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.rand(2))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        r1 = w0**2 + w1 * x1
        r2 = w0 * x2 - w1
        return r1 * r2 + x3 / r1

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        r1 = w0**2 + w1 * x1
        r2 = w0 * x2 - w1
        y = r1 * r2 + x3 / r1
        d = r2 - x3 / r1**2
        del r2
        dw0 = d * 2 * w0 + r1 * x2
        dw1 = d * x1 - r1
        del r1, d
        self.w.grad = torch.from_numpy(np.array([dw0.item(), dw1.item()]))
        return y

