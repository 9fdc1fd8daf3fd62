# verdict:
# status = "unreadable: syntax-error @S"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b)  # @S
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        return dout @ w.T, x.T @ dout, dout.sum(0)
