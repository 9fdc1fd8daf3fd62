# verdict:
# gradient = "partial 20: no-gradient @P b"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[3.0], [1.0]]))
        self.b = nn.Parameter(torch.tensor([[3.0]]))

    def forward(self, x, y):
        return torch.mean((x @ self.w + self.b - y) ** 2)

    def my_forward_backward(self, x, y):  # @P
        off = x @ self.w + self.b - y
        loss = (off**2).mean()
        g = 2 * off / x.shape[0]
        off = None
        self.w.grad = x.T @ g
        return loss
