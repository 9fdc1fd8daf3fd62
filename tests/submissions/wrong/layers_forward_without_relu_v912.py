# verdict:
# failed = "forward wrong-value 15"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(2, 3))
        self.b1 = nn.Parameter(torch.zeros(3))
        self.w2 = nn.Parameter(torch.randn(3, 2))
        self.b2 = nn.Parameter(torch.zeros(2))

    def forward(self, x, y):
        h = x @ self.w1 + self.b1
        return ((h @ self.w2 + self.b2 - y) ** 2).sum() / x.shape[0]

    def my_forward_backward(self, x, y):
        n = x.shape[0]
        z = x @ self.w1 + self.b1
        h = torch.relu(z)
        off = h @ self.w2 + self.b2 - y
        loss = (off**2).sum() / n
        g = off * (2 / n)
        off = None
        self.w2.grad = h.T @ g
        h = None
        self.b2.grad = g.sum(0)
        g = g @ self.w2.T
        g = g * (z > 0)
        z = None
        self.w1.grad = x.T @ g
        self.b1.grad = g.sum(0)
        return loss
