import torch


class Linear(object):
    @staticmethod
    def forward(x, w, b):
        out = x.reshape(x.shape[0], -1).mm(w) + b
        return out, (x, w, b)

    @staticmethod
    def backward(dout, cache):
        x, w, b = cache
        dx = dout.mm(w.t()).view(x.shape)
        dw = x.reshape(x.shape[0], -1).t().mm(dout)
        db = dout.sum(dim=0)
        return dx, dw, db


class ReLU(object):
    @staticmethod
    def forward(x):
        return x.clamp(min=0), x

    @staticmethod
    def backward(dout, cache):
        return dout * (cache > 0)


class Linear_ReLU(object):
    @staticmethod
    def forward(x, w, b):
        a, fc_cache = Linear.forward(x, w, b)
        out, relu_cache = ReLU.forward(a)
        cache = (fc_cache, relu_cache)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        fc_cache, relu_cache = cache
        da = ReLU.backward(dout, relu_cache)
        dx, dw, db = Linear.backward(da, fc_cache)
        return dx, dw, db
