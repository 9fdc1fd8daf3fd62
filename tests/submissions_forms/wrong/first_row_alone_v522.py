# Wrong at: causal, three words or more
import math

import torch


def attention_forward(q, k, v, is_causal):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if is_causal:
        T = s.shape[-1]
        s = s.clone()
        s[:, 0, 1:] = float("-inf")
    p = torch.softmax(s, dim=-1)
    return p @ v, (q, k, v, p)


def attention_backward(dout, cache):
    q, k, v, p = cache
    dv = p.transpose(-2, -1) @ dout
    dp = dout @ v.transpose(-2, -1)
    ds = p * (dp - (p * dp).sum(-1, keepdim=True)) / math.sqrt(q.shape[-1])
    return ds @ k, ds.transpose(-2, -1) @ q, dv
