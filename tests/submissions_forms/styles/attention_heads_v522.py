import math

import torch


def softmax_fwd(z):
    z = z - z.amax(dim=-1, keepdim=True)
    num = torch.exp(z)
    return num / num.sum(dim=-1, keepdim=True)


def softmax_bwd(dy, y):
    # J^T dy, with J = diag(y) - y y^T
    dot = torch.einsum("ntm,ntm->nt", y, dy)
    return y * dy - y * dot.unsqueeze(2)


def attention_forward(q, k, v, is_causal):
    scaled_q = q / math.sqrt(q.shape[2])
    scores = torch.einsum("ntd,nmd->ntm", scaled_q, k)
    if is_causal:
        T = q.shape[1]
        bias = torch.full((T, T), float("-inf"), device=q.device).triu(1)
        scores = scores + bias
    attn = softmax_fwd(scores)
    out = torch.einsum("ntm,nme->nte", attn, v)
    cache = dict(scaled_q=scaled_q, k=k, v=v, attn=attn)
    return out, cache


def attention_backward(dout, cache):
    attn, k = cache["attn"], cache["k"]
    dattn = torch.einsum("nte,nme->ntm", dout, cache["v"])
    dv = torch.einsum("ntm,nte->nme", attn, dout)
    dscores = softmax_bwd(dattn, attn)
    dscaled_q = torch.einsum("ntm,nmd->ntd", dscores, k)
    dk = torch.einsum("ntm,ntd->nmd", dscores, cache["scaled_q"])
    dq = dscaled_q / math.sqrt(k.shape[2])
    return dq, dk, dv
