# verdict:
# variant = "v902"
# why = "looks at shapes of values"
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
        c = a * b
        y = c + x3
        assert c.shape == () and c.numel() == 1 and c.dim() == 0 and c.size() == torch.Size([])
        c = None
        dw0 = b * x1
        assert b.shape == () and b.numel() == 1 and b.dim() == 0 and b.size() == torch.Size([])
        b = None
        dw1 = a * x2
        assert a.shape == () and a.numel() == 1 and a.dim() == 0 and a.size() == torch.Size([])
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
