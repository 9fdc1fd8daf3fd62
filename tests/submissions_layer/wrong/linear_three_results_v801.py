# verdict:
# failed = "forward raises @F, gradient, unused-nodes"
# why = "the cache is not packed"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):  # @F
        out = x @ w + b
        return out, x, w

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        return dout @ w.T, x.T @ dout, dout.sum(0)
