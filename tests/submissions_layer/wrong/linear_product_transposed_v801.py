# verdict:
# gradient = "partial 40: wrong-shape @W w"
# why = "the gradient of the transposed weights"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        dw = dout.T @ x  # @W
        return dout @ w.T, dw, dout.sum(0)
