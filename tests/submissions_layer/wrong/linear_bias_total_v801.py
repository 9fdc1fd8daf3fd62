# verdict:
# gradient = "partial 40: wrong-shape @B b"
# why = "the sum of all"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        db = dout.sum()  # @B
        return dout @ w.T, x.T @ dout, db
