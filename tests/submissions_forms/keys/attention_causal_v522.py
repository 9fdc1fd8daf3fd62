import torch


def attention_forward(q, k, v, is_causal):
    d = q.shape[-1]
    s = q @ k.transpose(-2, -1) / d**0.5
    if is_causal:
        T = s.shape[-1]
        future = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
        s = s.masked_fill(future, float("-inf"))
    p = torch.softmax(s, dim=-1)
    out = p @ v
    return out, (q, k, v, p)


def attention_backward(dout, cache):
    q, k, v, p = cache
    d = q.shape[-1]
    dv = p.transpose(-2, -1) @ dout
    dp = dout @ v.transpose(-2, -1)
    delta = (p * dp).sum(dim=-1, keepdim=True)
    ds = p * (dp - delta) / d**0.5
    dq = ds @ k
    dk = ds.transpose(-2, -1) @ q
    return dq, dk, dv
