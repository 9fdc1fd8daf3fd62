# verdict:
# status = "unreadable: signature @S"
# why = "forward takes no bias"
import torch


class Linear:
    @staticmethod
    def forward(x, w):  # @S
        return x @ w, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        return dout @ w.T, x.T @ dout
