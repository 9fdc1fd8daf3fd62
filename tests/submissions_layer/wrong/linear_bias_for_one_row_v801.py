# verdict:
# gradient = "partial 40: wrong-shape @B b"
# why = "right where there is one row only"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        return dout @ w.T, x.T @ dout, dout.squeeze(0)  # @B
