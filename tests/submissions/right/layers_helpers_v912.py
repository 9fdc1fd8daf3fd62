# verdict:
import torch
from torch import nn


def linear(x, w, b):
    assert x.shape[1] == w.shape[0], (x.shape, w.shape)
    return x @ w + b


def linear_backward(x, w, b, upstream):
    w.grad = x.T @ upstream
    b.grad = upstream.sum(0)
    assert w.grad.shape == w.shape
    assert b.grad.shape == b.shape


class Relu:
    def __call__(self, z):
        self.mask = (z > 0).to(z.dtype)
        return z * self.mask

    def backward(self, upstream):
        mask, self.mask = self.mask, None
        return upstream * mask


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w1 = nn.Parameter(torch.randn(2, 3))
        self.b1 = nn.Parameter(torch.zeros(3))
        self.w2 = nn.Parameter(torch.randn(3, 2))
        self.b2 = nn.Parameter(torch.zeros(2))

    def forward(self, x, y):
        hidden = linear(x, self.w1, self.b1).clamp_min(0)
        return (linear(hidden, self.w2, self.b2) - y).pow(2).sum(1).mean()

    def my_forward_backward(self, x, y):
        relu = Relu()
        hidden = relu(linear(x, self.w1, self.b1))
        off = linear(hidden, self.w2, self.b2) - y
        loss = off.pow(2).sum(1).mean()
        off = off * (2 / x.shape[0])
        linear_backward(hidden, self.w2, self.b2, off)
        hidden = None
        off = relu.backward(off @ self.w2.T)
        linear_backward(x, self.w1, self.b1, off)
        return loss
