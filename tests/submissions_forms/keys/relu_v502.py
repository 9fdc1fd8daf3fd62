import torch


class ReLU(object):
    @staticmethod
    def forward(x):
        out = x.clone()
        out[out < 0] = 0
        cache = x
        return out, cache

    @staticmethod
    def backward(dout, cache):
        x = cache
        dx = dout.clone()
        dx[x <= 0] = 0
        return dx
