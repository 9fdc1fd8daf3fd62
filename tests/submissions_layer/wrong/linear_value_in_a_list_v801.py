# verdict:
# failed = "forward wrong-type @F"
# unused-nodes = "partial 8: unused-node @U, unused-node @U"
# why = "out is a list of rows"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):  # @F
        out = [row @ w + b for row in x]  # @U
        return out, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        return dout @ w.T, x.T @ dout, dout.sum(0)
