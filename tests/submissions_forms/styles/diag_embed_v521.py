import torch
from typing import NamedTuple


class Saved(NamedTuple):
    q: torch.Tensor
    k: torch.Tensor
    v: torch.Tensor
    attn: torch.Tensor


class Attention(object):
    """softmax(q k^T / sqrt(d)) v, batched with einsum"""

    @staticmethod
    def forward(q, k, v):
        d = q.size(2)
        logits = torch.einsum("ntd,nmd->ntm", q, k) * d ** -0.5
        attn = logits.softmax(dim=2)
        y = torch.einsum("ntm,nme->nte", attn, v)
        return y, Saved(q, k, v, attn)

    @staticmethod
    def backward(dout, cache):
        d = cache.q.size(2)
        dattn = torch.einsum("nte,nme->ntm", dout, cache.v)
        # J[n, t, i, j] = d attn_i / d logits_j = a_i (delta_ij - a_j)
        J = torch.diag_embed(cache.attn) - torch.einsum("nti,ntj->ntij", cache.attn, cache.attn)
        assert J.shape == (*cache.attn.shape, cache.attn.shape[-1])
        dlogits = torch.einsum("nti,ntij->ntj", dattn, J) * d ** -0.5
        return (
            torch.einsum("ntm,nmd->ntd", dlogits, cache.k),
            torch.einsum("ntm,ntd->nmd", dlogits, cache.q),
            torch.einsum("ntm,nte->nme", cache.attn, dout),
        )
