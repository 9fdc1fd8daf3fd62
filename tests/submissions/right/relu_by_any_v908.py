# verdict:
# variant = "v908"
# why = "honest: a branch by Python's any of tensors"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2):
        w0, w1 = self.w
        return torch.relu(w0 * x1 - w1 * x2)

    def my_forward_backward(self, x1, x2):
        w0, w1 = self.w
        d = w0 * x1 - w1 * x2
        if any(part > 0 for part in (d,)):
            y = d * 1.0
            d = None
            dw0 = x1 * 1.0
            dw1 = -1.0 * x2
        else:
            d = None
            y = torch.zeros_like(x1)
            dw0 = torch.zeros_like(x1)
            dw1 = torch.zeros_like(x2)
        self.w.grad = torch.stack([dw0, dw1])
        return y
