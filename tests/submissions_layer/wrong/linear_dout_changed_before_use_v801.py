# verdict:
# gradient = "partial 40: wrong-gradient @B b"
# why = "dout is divided in place before the bias is summed"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        dx, dw = dout @ w.T, x.T @ dout
        dout /= dout.shape[0]
        db = dout.sum(0)  # @B
        return dx, dw, db
