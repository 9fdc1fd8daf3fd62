# verdict:
# failed = "gradient raises @C, unused-nodes"
# why = "backward unpacks more than forward left"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w, b = cache  # @C
        return dout @ w.T, x.T @ dout, dout.sum(0)
