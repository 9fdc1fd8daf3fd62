# verdict:
# failed = "gradient raises @C, unused-nodes"
# why = "the cache is None"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, None

    @staticmethod
    def backward(dout, cache):
        x, w = cache  # @C
        return dout @ w.T, x.T @ dout, dout.sum(0)
