# verdict:
# status = "unreadable: constructor"
# why = "an instance is needed, and cannot be made without sizes"
import torch


class Linear:
    def __init__(self, d, m):
        self.shape = d, m

    def forward(self, x, w, b):
        return x @ w + b, (x, w)

    def backward(self, dout, cache):
        x, w = cache
        return dout @ w.T, x.T @ dout, dout.sum(0)
