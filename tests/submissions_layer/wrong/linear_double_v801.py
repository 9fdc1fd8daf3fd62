# verdict:
# failed = "forward wrong-dtype @F"
# why = "the value comes as float64"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        out = (x @ w + b).double()  # @F
        return out, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        return dout @ w.T, x.T @ dout, dout.sum(0)
