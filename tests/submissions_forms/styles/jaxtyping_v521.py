import torch
from jaxtyping import Float
from torch import Tensor, einsum


class Attention:
    @staticmethod
    def forward(q: Float[Tensor, "n t d"], k: Float[Tensor, "n m d"], v: Float[Tensor, "n m e"]):
        s = einsum("ntd,nmd->ntm", q, k) * q.size(-1) ** -0.5
        p = s.sub_(s.amax(-1, keepdim=True)).exp_()
        p /= p.sum(-1, keepdim=True)
        return einsum("ntm,nme->nte", p, v), (q, k, v, p)

    @staticmethod
    def backward(dout: Float[Tensor, "n t e"], cache):
        q, k, v, p = cache
        dv = einsum("ntm,nte->nme", p, dout)
        dp = einsum("nte,nme->ntm", dout, v)
        ds = p * (dp - einsum("ntm,ntm->nt", p, dp)[:, :, None]) * q.size(-1) ** -0.5
        return einsum("ntm,nmd->ntd", ds, k), einsum("ntm,ntd->nmd", ds, q), dv
