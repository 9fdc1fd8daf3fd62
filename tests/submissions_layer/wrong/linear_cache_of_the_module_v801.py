# verdict:
# gradient = "partial 20: wrong-gradient @B x, wrong-gradient @B w"
# why = "a second layer of the kind overwrites what the first kept: backward is that of the last forward alone"
import torch

SAVED = []


class Linear:
    @staticmethod
    def forward(x, w, b):
        SAVED[:] = x, w
        return x @ w + b, None

    @staticmethod
    def backward(dout, cache):
        x, w = SAVED
        return dout @ w.T, x.T @ dout, dout.sum(0)  # @B
