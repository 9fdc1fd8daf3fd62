# verdict:
# gradient = "partial 40: wrong-gradient @W w"
# why = "divided by the number of rows, which dout has in it already"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        dw = x.T @ dout / x.shape[0]  # @W
        return dout @ w.T, dw, dout.sum(0)
