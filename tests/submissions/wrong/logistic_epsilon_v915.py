# verdict:
# failed = "manual-forward wrong-value 18"
# why = "a constant that is off is no rounding"
import torch
import torch.nn.functional as F
from torch import nn


class LogReg(nn.Module):
    def __init__(self, d=3):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(d))
        self.b = nn.Parameter(torch.zeros(()))

    def forward(self, x, y):
        return F.binary_cross_entropy_with_logits(x @ self.w + self.b, y)

    def my_forward_backward(self, x, y):
        z = x @ self.w + self.b
        p = torch.sigmoid(z)
        z = None
        loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p + 1e-9)).mean()
        g = (p - y) / len(y)
        p = z = None
        self.w.grad = x.T @ g
        self.b.grad = g.sum()
        return loss
