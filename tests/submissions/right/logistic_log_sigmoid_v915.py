# verdict:
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
        loss = -(F.logsigmoid(z) - (1 - y) * z).mean()
        g = (torch.sigmoid(z) - y) / len(y)
        z = None
        self.w.grad = x.T @ g
        self.b.grad = g.sum()
        return loss
