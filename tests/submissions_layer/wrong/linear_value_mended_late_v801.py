# verdict:
# failed = "forward wrong-value @F"
# why = "forward forgets b, and backward puts the right value into what it returned"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        out = x @ w  # @F
        return out, (x, w, b, out)

    @staticmethod
    def backward(dout, cache):
        x, w, b, out = cache
        out.data = out + b
        return dout @ w.T, x.T @ dout, dout.sum(0)
