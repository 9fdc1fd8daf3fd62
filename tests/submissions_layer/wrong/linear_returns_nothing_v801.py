# verdict:
# failed = "gradient raises @D, unused-nodes"
# why = "the return is forgotten"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):  # @D
        x, w = cache
        dx, dw, db = dout @ w.T, x.T @ dout, dout.sum(0)
