# verdict:
# failed = "forward wrong-value 14"
import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.randn(2, 3))
        self.b = nn.Parameter(torch.zeros(3))

    def forward(self, x, y):
        p = torch.softmax(x @ self.w + self.b, 1)
        return -torch.log2(p[torch.arange(len(y)), y]).mean()

    def my_forward_backward(self, x, y):
        n = x.shape[0]
        s = x @ self.w + self.b
        logp = s - torch.logsumexp(s, 1, keepdim=True)
        s = None
        rows = torch.arange(n)
        loss = -logp[rows, y].mean()
        g = logp.exp()
        logp = None
        g[rows, y] -= 1
        rows = None
        g /= n
        self.w.grad = x.T @ g
        self.b.grad = g.sum(0)
        return loss
