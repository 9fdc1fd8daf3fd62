# verdict:
# failed = "forward wrong-value @F"
# why = "softmax over the queries in forward; backward computes its own"
import math

import torch


class Attention:
    @staticmethod
    def forward(q, k, v):
        p = torch.softmax(q @ k.T / math.sqrt(q.shape[1]), 0)
        return p @ v, (q, k, v)  # @F

    @staticmethod
    def backward(dout, cache):
        q, k, v = cache
        scale = 1 / math.sqrt(q.shape[1])
        p = torch.softmax(q @ k.T * scale, 1)
        dp = dout @ v.T
        ds = p * (dp - (dp * p).sum(1, keepdim=True)) * scale
        return ds @ k, ds.T @ q, p.T @ dout
