import math

import torch


class FlashAttention(torch.autograd.Function):
    Q_TILE = 16
    K_TILE = 16

    @staticmethod
    def forward(ctx, Q, K, V, is_causal=False):
        batch, n_queries, d = Q.shape
        n_keys = K.shape[1]
        scale = 1.0 / math.sqrt(d)
        Bq, Bk = FlashAttention.Q_TILE, FlashAttention.K_TILE
        outs, logs = [], []
        for i in range(0, n_queries, Bq):
            Qi = Q[:, i:i + Bq]
            O = torch.zeros_like(Qi)
            l = torch.zeros(batch, Qi.shape[1], device=Q.device, dtype=Q.dtype)
            m = torch.full_like(l, float("-inf"))
            for j in range(0, n_keys, Bk):
                if is_causal and j > i:
                    break
                Kj, Vj = K[:, j:j + Bk], V[:, j:j + Bk]
                S = torch.einsum("bqd,bkd->bqk", Qi, Kj) * scale
                if is_causal:
                    rows = i + torch.arange(S.shape[1], device=Q.device)
                    cols = j + torch.arange(S.shape[2], device=Q.device)
                    S = torch.where(rows[:, None] >= cols[None, :], S, float("-inf"))
                m_new = torch.maximum(m, S.max(dim=-1).values)
                P = torch.exp(S - m_new[..., None])
                alpha = torch.exp(m - m_new)
                l = alpha * l + P.sum(dim=-1)
                O = alpha[..., None] * O + P @ Vj
                m = m_new
            outs.append(O / l[..., None])
            logs.append(m + torch.log(l))
        O = torch.cat(outs, dim=1)
        L = torch.cat(logs, dim=1)
        ctx.save_for_backward(L, Q, K, V, O)
        ctx.is_causal = is_causal
        return O

    @staticmethod
    def backward(ctx, dO):
        L, Q, K, V, O = ctx.saved_tensors
        scale = 1.0 / math.sqrt(Q.shape[-1])
        S = Q @ K.transpose(1, 2) * scale
        if ctx.is_causal:
            rows = torch.arange(S.shape[1], device=S.device)
            cols = torch.arange(S.shape[2], device=S.device)
            S = torch.where(rows[:, None] >= cols[None, :], S, float("-inf"))
        P = torch.exp(S - L[..., None])
        dQ = dK = dV = None
        if ctx.needs_input_grad[2]:
            dV = P.transpose(1, 2) @ dO
        if ctx.needs_input_grad[0] or ctx.needs_input_grad[1]:
            D = (O * dO).sum(dim=-1)
            dP = dO @ V.transpose(1, 2)
            dS = P * (dP - D[..., None])
            if ctx.needs_input_grad[0]:
                dQ = dS @ K * scale
            if ctx.needs_input_grad[1]:
                dK = dS.transpose(1, 2) @ Q * scale
        return dQ, dK, dV, None
