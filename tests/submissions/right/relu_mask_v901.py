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
        y = torch.relu(a) + w1 * x2
        mask = (a > 0).float()
        del a
        dw0 = mask * x1
        del mask
        self.w.grad = torch.stack([dw0, x2])
        return y
