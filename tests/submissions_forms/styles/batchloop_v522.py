import math
import torch
import torch.nn as nn
import torch.nn.functional as F

NEG_INF = -1e9


def attention_forward(q, k, v, is_causal):
    B, T, d = q.shape
    print("q", q.shape, "k", k.shape, "v", v.shape)
    scale = 1.0 / math.sqrt(d)
    outs, attns = [], []
    for b in range(B):
        scores = torch.mm(q[b], k[b].t()) * scale
        if is_causal:
            for i in range(T):
                scores[i, i + 1:] = NEG_INF
        attn = F.softmax(scores, dim=1)
        attns.append(attn)
        outs.append(torch.mm(attn, v[b]))
    out = torch.stack(outs)
    assert out.shape == (B, T, v.shape[2])
    cache = {'q': q, 'k': k, 'v': v, 'attns': attns, 'scale': scale, 'is_causal': is_causal}
    return out, cache


def attention_backward(dout, cache):
    q, k, v = cache['q'], cache['k'], cache['v']
    T = q.shape[1]
    dq = torch.zeros_like(q)
    dk = torch.zeros_like(k)
    dv = torch.zeros_like(v)
    for b, attn in enumerate(cache['attns']):
        dv[b] = torch.mm(attn.t(), dout[b])
        dattn = torch.mm(dout[b], v[b].t())
        # softmax backward row by row
        dscores = torch.zeros(T, T, dtype=q.dtype)
        for i in range(T):
            p = attn[i]
            dp = dattn[i]
            dscores[i] = p * (dp - torch.dot(p, dp))
        if cache['is_causal']:
            # masked scores are constants
            mask = torch.tril(torch.ones(T, T)).bool()
            dscores[~mask] = 0
        dscores = dscores * cache['scale']
        dq[b] = torch.mm(dscores, k[b])
        dk[b] = torch.mm(dscores.t(), q[b])
    return dq, dk, dv
