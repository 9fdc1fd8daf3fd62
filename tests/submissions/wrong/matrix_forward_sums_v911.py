# verdict:
# failed = "forward wrong-value 13"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[3.0], [1.0]]))
        self.b = nn.Parameter(torch.tensor([[3.0]]))

    def forward(self, x, y):
        return torch.sum((x @ self.w + self.b - y) ** 2)

    def my_forward_backward(self, x, y):
        off = x @ self.w + self.b - y
        loss = (off**2).mean()
        g = 2 * off / x.shape[0]
        off = None
        self.w.grad = x.T @ g
        self.b.grad = g.sum().reshape(1, 1)
        return loss
