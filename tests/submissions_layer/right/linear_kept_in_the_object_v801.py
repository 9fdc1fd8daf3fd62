# verdict:
# why = "each layer is an object of its own, and keeps in it what backward needs"
import torch


class Linear:
    def forward(self, x, w, b):
        self.x, self.w = x, w
        return x @ w + b, None

    def backward(self, dout, cache):
        x, w = self.x, self.w
        return dout @ w.T, x.T @ dout, dout.sum(0)
