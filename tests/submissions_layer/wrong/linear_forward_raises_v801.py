# verdict:
# failed = "forward raises @F, gradient, unused-nodes"
# why = "a name that is nowhere"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        out = x @ weights + b  # @F
        return out, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        return dout @ w.T, x.T @ dout, dout.sum(0)
