# verdict:
# failed = "gradient raises @D, unused-nodes"
# why = "that of the bias is forgotten"
import torch


class Linear:
    @staticmethod
    def forward(x, w, b):
        return x @ w + b, (x, w)

    @staticmethod
    def backward(dout, cache):  # @D
        x, w = cache
        dx = dout @ w.T
        dw = x.T @ dout
        return dx, dw
