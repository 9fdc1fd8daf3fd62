# verdict:
# failed = "gradient raises @X, unused-nodes"
# why = "the weights are not transposed"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        dx = dout @ w  # @X
        return dx, x.T @ dout, dout.sum(0)
