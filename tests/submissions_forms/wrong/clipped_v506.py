# Wrong at: |x| > 5
import torch


class Sigmoid(object):
    @staticmethod
    def forward(x):
        out = 1 / (1 + torch.exp(-x.clamp(-5, 5)))
        return out, out

    @staticmethod
    def backward(dout, cache):
        return dout * cache * (1 - cache)
