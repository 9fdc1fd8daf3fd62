import torch


def softmax_vec(z):
    e = torch.exp(z - z.max())
    return e / e.sum()


def attention_forward(q, k, v, is_causal):
    B, T, d = q.shape
    out = torch.zeros_like(v)
    probs = {}
    for b in range(B):
        for t in range(T):
            # query t may look at the keys 0..t only when causal
            seen = t + 1 if is_causal else T
            p = softmax_vec(k[b, :seen] @ q[b, t] / d ** 0.5)
            out[b, t] = p @ v[b, :seen]
            probs[b, t] = p
    return out, (q, k, v, probs)


def attention_backward(dout, cache):
    q, k, v, probs = cache
    scale = q.shape[-1] ** -0.5
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for (b, t), p in probs.items():
        seen = len(p)
        keys, values = k[b, :seen], v[b, :seen]
        go = dout[b, t]

        dv[b, :seen] += torch.outer(p, go)
        dp = values @ go
        jac = torch.diag(p) - torch.outer(p, p)
        dz = jac @ dp * scale
        dq[b, t] = dz @ keys
        dk[b, :seen] += torch.outer(dz, q[b, t])
    return dq, dk, dv
