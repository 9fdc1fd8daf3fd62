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

    @torch.no_grad()
    def my_forward_backward(self, x1, x2):
        w0, w1 = self.w
        z = w0 * x1 - w1 * x2
        y = torch.tensor(0.0)
        if z > 0:
            y = z
        m = (z > 0).float()
        del z
        self.w.grad = torch.stack([m * x1, -m * x2])
        del m
        return y
