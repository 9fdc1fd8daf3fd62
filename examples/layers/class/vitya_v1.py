import torch


class Linear(object):
    @staticmethod
    def forward(x, w, b):
        out = x.mm(w) + b
        cache = (x, w, b)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        x, w, b = cache
        dx = torch.zeros_like(x)
        dx = dout.mm(w.t())
        dw = x.t().mm(dout)
        db = dout * torch.ones_like(b)
        return dx, dw, db
