# verdict:
# gradient = "partial 40: wrong-gradient @K k"
# why = "the scale is forgotten on one of two paths"
import math

import torch


class Attention:
    @staticmethod
    def forward(q, k, v):
        scale = 1 / math.sqrt(q.shape[1])
        p = torch.softmax(q @ k.T * scale, 1)
        return p @ v, (q, k, v, p, scale)

    @staticmethod
    def backward(dout, cache):
        q, k, v, p, scale = cache
        dp = dout @ v.T
        ds = p * (dp - (dp * p).sum(1, keepdim=True))
        dk = ds.T @ q  # @K
        return ds @ k * scale, dk, p.T @ dout
