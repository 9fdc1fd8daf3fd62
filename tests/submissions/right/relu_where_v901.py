# verdict:
# variant = "v901"
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
        mask = a > 0
        y = torch.where(mask, a, torch.zeros_like(a)) + w1 * x2
        del a
        dw0 = torch.where(mask, x1, torch.zeros_like(x1))
        del mask
        self.w.grad = torch.stack([dw0, x2])
        return y
