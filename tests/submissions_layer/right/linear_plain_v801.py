# verdict:
import torch


class Linear(object):
    @staticmethod
    def forward(x, w, b):
        out = x.reshape(x.shape[0], -1).mm(w) + b
        cache = (x, w, b)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        x, w, b = cache
        dx = dout.mm(w.t()).reshape(x.shape)
        dw = x.reshape(x.shape[0], -1).t().mm(dout)
        db = dout.sum(dim=0)
        return dx, dw, db
