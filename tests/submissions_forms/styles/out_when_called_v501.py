import torch


class Linear:
    """forward gives (out, cache) for training; calling the layer gives the output alone, for prediction."""

    def __init__(self):
        self.calls = 0

    def __call__(self, x, w, b):
        out, _ = self.forward(x, w, b)
        return out

    def forward(self, x, w, b):
        self.calls += 1
        rows = x.view(x.size(0), -1)
        return rows @ w + b, (rows, w, x.shape)

    def backward(self, dout, cache):
        rows, w, shape = cache
        return (dout @ w.T).view(shape), rows.T @ dout, dout.sum(0)
