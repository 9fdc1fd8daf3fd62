# verdict:
# gradient = "partial 40: wrong-shape @B b"
# why = "the sum over the rows is forgotten"
import torch


class Linear(object):
    @staticmethod
    def forward(x, w, b):
        return x.mm(w) + b, (x, w, b)

    @staticmethod
    def backward(dout, cache):
        x, w, b = cache
        db = dout * torch.ones_like(b)  # @B
        return dout.mm(w.t()), x.t().mm(dout), db
