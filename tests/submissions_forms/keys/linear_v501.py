import torch


class Linear(object):
    @staticmethod
    def forward(x, w, b):
        """
        x: minibatch of shape (N, d_1, ..., d_k), w: (D, M), b: (M,)
        Returns out of shape (N, M) and the cache for backward.
        """
        rows = x.reshape(x.shape[0], -1)
        out = rows.mm(w) + b
        cache = (x, w, b)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        x, w, b = cache
        rows = x.reshape(x.shape[0], -1)
        dx = dout.mm(w.t()).reshape(x.shape)
        dw = rows.t().mm(dout)
        db = dout.sum(dim=0)
        return dx, dw, db
