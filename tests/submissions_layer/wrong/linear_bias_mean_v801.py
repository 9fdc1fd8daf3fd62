# verdict:
# gradient = "partial 40: wrong-gradient @B b"
# why = "a mean for a sum"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        db = dout.mean(0)  # @B
        return dout @ w.T, x.T @ dout, db
