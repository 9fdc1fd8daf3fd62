# verdict:
# gradient = "partial 0.0: wrong-gradient @X x"
# why = "ReLU's cache is its input, and the layer hands it dout"
import torch


class ReLU:
    @staticmethod
    def forward(x):
        return x.clamp(min=0), x

    @staticmethod
    def backward(dout, cache):
        return dout * (cache > 0)


class Linear_ReLU:
    @staticmethod
    def forward(x, w, b):
        a = x @ w + b
        out, r = ReLU.forward(a)
        return out, (x, w, r)

    @staticmethod
    def backward(dout, cache):
        x, w, r = cache
        ReLU.backward(dout, r)  # @U
        return dout @ w.T, x.T @ dout, dout.sum(0)
