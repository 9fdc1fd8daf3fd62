# verdict:
# status = "unreadable: unknown-class"
# why = "the class has another name"
import torch


class Dense:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        return dout @ w.T, x.T @ dout, dout.sum(0)
