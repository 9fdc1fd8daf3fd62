# Wrong at: everywhere, by float16's roundings
import torch


class Linear(object):
    @staticmethod
    def forward(x, w, b):
        rows = x.reshape(x.shape[0], -1)
        return rows.mm(w) + b, (x, w)

    @staticmethod
    def backward(dout, cache):
        x, w = cache
        rows = x.reshape(x.shape[0], -1)
        dx = dout.mm(w.t()).reshape(x.shape)
        dw = rows.half().t().mm(dout.half()).to(w.dtype)
        db = dout.sum(0)
        return dx, dw, db
