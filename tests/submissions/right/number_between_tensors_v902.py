# verdict:
# variant = "v902"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return (w0 * x1) * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        k = (w0 * x1).item()
        a = torch.tensor(k)
        k = None
        b = torch.full((), float(w1 * x2))
        p = torch.zeros(()).fill_((a * b).item())
        y = p + x3
        p = None
        dw0 = torch.scalar_tensor((x1 * b).item())
        b = None
        dw1 = x1.new_tensor(float(a * x2))
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
