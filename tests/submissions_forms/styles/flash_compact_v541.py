import torch

TILE = 16


def attention_scores(Q, K, start, is_causal):
    """Scores of all queries with the keys from `start` on."""
    S = torch.einsum("bqd,bkd->bqk", Q, K) * Q.shape[-1] ** -0.5
    if is_causal:
        q = torch.arange(Q.shape[1], device=Q.device).unsqueeze(1)
        k = torch.arange(start, start + K.shape[1], device=Q.device)
        S = S.masked_fill(k > q, -1e6)
    return S


class FlashAttentionPytorch(torch.autograd.Function):
    @staticmethod
    def forward(ctx, Q, K, V, is_causal=False):
        m = Q.new_full((*Q.shape[:2], 1), -float("inf"))
        l = torch.zeros_like(m)
        acc = torch.zeros_like(Q)
        for start in range(0, K.shape[1], TILE):
            S = attention_scores(Q, K[:, start:start + TILE], start, is_causal)
            m_old, m = m, torch.maximum(m, S.amax(-1, keepdim=True))
            P = (S - m).exp()
            correction = (m_old - m).exp()
            l = l * correction + P.sum(-1, keepdim=True)
            acc = acc * correction + P @ V[:, start:start + TILE]
        O = acc / l
        L = (m + l.log()).squeeze(-1)
        ctx.save_for_backward(Q, K, V, O, L)
        ctx.is_causal = is_causal
        return O

    @staticmethod
    def backward(ctx, dO):
        Q, K, V, O, L = ctx.saved_tensors
        P = torch.exp(attention_scores(Q, K, 0, ctx.is_causal) - L.unsqueeze(-1))
        D = (dO * O).sum(-1, keepdim=True)
        dV = torch.einsum("bqk,bqd->bkd", P, dO)
        dP = torch.einsum("bqd,bkd->bqk", dO, V)
        dS = P * (dP - D) * Q.shape[-1] ** -0.5
        dQ = torch.einsum("bqk,bkd->bqd", dS, K)
        dK = torch.einsum("bqk,bqd->bkd", dS, Q)
        return dQ, dK, dV, None
