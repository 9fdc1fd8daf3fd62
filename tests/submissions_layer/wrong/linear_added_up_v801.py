# verdict:
# failed = "integrity hidden-work @D, gradient, unused-nodes"
# why = "gradients are added to what earlier calls left"
import torch


class Linear:
    dw = 0

    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):  # @D
        x, w = cache
        Linear.dw = Linear.dw + x.T @ dout
        return dout @ w.T, Linear.dw, dout.sum(0)
