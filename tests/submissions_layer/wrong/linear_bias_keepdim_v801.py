# verdict:
# gradient = "partial 40: wrong-shape @B b"
# why = "a row in place of a vector"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        return dout @ w.T, x.T @ dout, dout.sum(0, keepdim=True)  # @B
