# verdict:
import math

import torch


class Attention:
    @staticmethod
    def forward(q, k, v):
        scale = 1 / math.sqrt(q.shape[-1])
        scores = q @ k.transpose(-2, -1) * scale
        p = torch.softmax(scores, dim=-1)
        return p @ v, (q, k, v, p, scale)

    @staticmethod
    def backward(dout, cache):
        q, k, v, p, scale = cache
        dv = p.transpose(-2, -1) @ dout
        dp = dout @ v.transpose(-2, -1)
        ds = p * (dp - (dp * p).sum(dim=-1, keepdim=True))
        dq = ds @ k * scale
        dk = ds.transpose(-2, -1) @ q * scale
        return dq, dk, dv
