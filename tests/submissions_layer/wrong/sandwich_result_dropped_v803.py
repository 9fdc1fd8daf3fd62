# verdict:
# failed = "gradient wrong-gradient @X x, gradient wrong-gradient @X w, gradient wrong-gradient @X b"
# unused-nodes = "partial 8: unused-node @U, unused-node @U"
# why = "what ReLU gives back is dropped"
import torch


class ReLU:
    @staticmethod
    def forward(x):
        return x.clamp(min=0), x

    @staticmethod
    def backward(dout, cache):
        return dout * (cache > 0)  # @U


class Linear_ReLU:
    @staticmethod
    def forward(x, w, b):
        a = x @ w + b
        out, r = ReLU.forward(a)
        return out, (x, w, r)

    @staticmethod
    def backward(dout, cache):
        x, w, r = cache
        ReLU.backward(dout, r)
        return dout @ w.T, x.T @ dout, dout.sum(0)  # @X
