# verdict:
# gradient = "partial 40: wrong-shape @B b"
# why = "summed over the columns"
import torch


class Linear(object):
    @staticmethod
    def forward(x, w, b):
        return x.mm(w) + b, (x, w, b)

    @staticmethod
    def backward(dout, cache):
        x, w, b = cache
        dx = dout.mm(w.t())
        dw = x.t().mm(dout)
        db = dout.sum(dim=1)  # @B
        return dx, dw, db
