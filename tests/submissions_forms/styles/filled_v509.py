import torch


class Dropout:
    @staticmethod
    def forward(x, mask, p):
        dropped = mask == 0
        q = 1.0 - p
        y = x.div(q).masked_fill(dropped, 0.0)
        return y, (dropped, q)

    @staticmethod
    def backward(g, cache):
        dropped, q = cache
        g = g.clone()
        g[dropped] = 0
        g /= q
        return g
