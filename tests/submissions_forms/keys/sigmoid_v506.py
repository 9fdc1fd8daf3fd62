import torch


class Sigmoid(object):
    @staticmethod
    def forward(x):
        out = 1 / (1 + torch.exp(-x))
        cache = out
        return out, cache

    @staticmethod
    def backward(dout, cache):
        out = cache
        dx = dout * out * (1 - out)
        return dx
