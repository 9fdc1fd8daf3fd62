# verdict:
# gradient = "partial 40: no-gradient @D b"
# why = "a list of numbers is no tensor"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):  # @D
        x, w = cache
        return dout @ w.T, x.T @ dout, dout.sum(0).tolist()
