# verdict:
# variant = "v902"
# why = "honest beside attacks by numpy's views: numbers out to numpy and back"
import numpy as np

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
        a = w0 * x1
        b = w1 * x2
        y = a * b + x3
        dw0 = b * x1
        del b
        dw1 = a * x2
        del a
        array = np.empty(2, dtype=np.float32)
        array[0] = dw0.numpy()
        array[1] = dw1.numpy()
        del dw0, dw1
        self.w.grad = torch.from_numpy(array)
        return y
