# Wrong at: x == 0 exactly: value 0 for 1/2, gradient 0 for 1/4
import torch


class Sigmoid(object):
    @staticmethod
    def forward(x):
        out = torch.zeros_like(x)
        pos, neg = x > 0, x < 0
        out[pos] = 1 / (1 + torch.exp(-x[pos]))
        e = torch.exp(x[neg])
        out[neg] = e / (1 + e)
        return out, out

    @staticmethod
    def backward(dout, cache):
        return dout * cache * (1 - cache)
