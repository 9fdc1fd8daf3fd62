# verdict:
# variant = "v908"
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
        w0, w1 = self.w.detach()
        z = w0 * x1 - w1 * x2
        m = z > 0
        y = torch.masked_select(z, m).sum()
        del z
        g = torch.stack([x1, -x2])
        g[~m.expand(2)] = 0
        del m
        self.w.grad = g
        return y
