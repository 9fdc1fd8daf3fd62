# verdict:
# failed = "forward wrong-type @F, gradient no-gradient @B x, gradient no-gradient @B w, gradient no-gradient @B b, unused-nodes"
# why = "nothing is filled in"
import torch


class Linear(object):
    @staticmethod
    def forward(x, w, b):  # @F
        out = None
        pass
        cache = (x, w, b)
        return out, cache

    @staticmethod
    def backward(dout, cache):  # @B
        x, w, b = cache
        dx, dw, db = None, None, None
        pass
        return dx, dw, db
