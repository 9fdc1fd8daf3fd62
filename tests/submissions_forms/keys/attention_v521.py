import math

import torch


class Attention(object):
    @staticmethod
    def forward(q, k, v):
        scale = 1 / math.sqrt(q.shape[-1])
        scores = torch.bmm(q, k.transpose(1, 2)) * scale
        scores = scores - scores.max(dim=-1, keepdim=True).values
        e = scores.exp()
        p = e / e.sum(dim=-1, keepdim=True)
        out = torch.bmm(p, v)
        return out, (q, k, v, p, scale)

    @staticmethod
    def backward(dout, cache):
        q, k, v, p, scale = cache
        dv = torch.bmm(p.transpose(1, 2), dout)
        dp = torch.bmm(dout, v.transpose(1, 2))
        inner = (dp * p).sum(dim=-1, keepdim=True)
        ds = p * (dp - inner)
        dq = torch.bmm(ds, k) * scale
        dk = torch.bmm(ds.transpose(1, 2), q) * scale
        return dq, dk, dv
