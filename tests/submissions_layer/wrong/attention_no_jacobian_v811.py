# verdict:
# gradient = "partial 20: wrong-gradient @Q q, wrong-gradient @K k"
# why = "the softmax's Jacobian is left out"
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
        ds = dout @ v.T
        dq = ds @ k * scale  # @Q
        dk = ds.T @ q * scale  # @K
        return dq, dk, p.T @ dout
