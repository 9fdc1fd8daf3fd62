# verdict:
# gradient = "partial 40: no-gradient @D b"
# why = "None was left where the template had it"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w, b)

    @staticmethod
    def backward(dout, cache):  # @D
        x, w, b = cache
        dx, dw, db = None, None, None
        dx = dout @ w.T
        dw = x.T @ dout
        return dx, dw, db
