import torch


class Dropout(object):
    @staticmethod
    def forward(x, mask, p):
        keep = mask / (1 - p)
        out = x * keep
        return out, keep

    @staticmethod
    def backward(dout, cache):
        keep = cache
        dx = dout * keep
        return dx
