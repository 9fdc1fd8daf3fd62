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
        w0, w1 = self.w
        d = w0 * x1 - w1 * x2
        step = torch.heaviside(d, torch.tensor(0.0))
        y = torch.clamp(d, min=0)
        del d
        dw0 = x1 * step
        dw1 = -x2 * step
        del step
        self.w.grad = torch.stack([dw0, dw1])
        return y
