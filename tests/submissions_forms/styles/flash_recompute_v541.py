import torch


def cdiv(a, b):
    return (a + b - 1) // b


class FlashAttentionAutograd(torch.autograd.Function):
    q_tile_size = 16
    k_tile_size = 32

    @staticmethod
    def _recompute_probs(q, k, lse, is_causal):
        """P = exp(S - L), without ever needing the running max again."""
        logits = (q @ k.transpose(-2, -1)) * q.shape[-1] ** -0.5
        if is_causal:
            future = torch.ones_like(logits[0], dtype=torch.bool).triu(1)
            logits = logits.masked_fill(future, -torch.inf)
        return torch.exp(logits - lse[:, :, None])

    @staticmethod
    def forward(ctx, q, k, v, is_causal=False):
        cls = FlashAttentionAutograd
        bs, nq, dim = q.shape
        nk = k.shape[1]
        out = torch.zeros_like(q)
        lse = torch.zeros(bs, nq, dtype=q.dtype, device=q.device)
        for ti in range(cdiv(nq, cls.q_tile_size)):
            lo = ti * cls.q_tile_size
            hi = min(nq, lo + cls.q_tile_size)
            q_blk = q[:, lo:hi, :]
            state = {
                "max": torch.full((bs, hi - lo), -torch.inf, dtype=q.dtype, device=q.device),
                "sum": torch.zeros(bs, hi - lo, dtype=q.dtype, device=q.device),
                "out": torch.zeros_like(q_blk),
            }
            for tj in range(cdiv(nk, cls.k_tile_size)):
                c_lo = tj * cls.k_tile_size
                c_hi = min(nk, c_lo + cls.k_tile_size)
                if is_causal and c_lo >= hi:
                    continue
                k_blk, v_blk = k[:, c_lo:c_hi, :], v[:, c_lo:c_hi, :]
                logits = (q_blk @ k_blk.transpose(-2, -1)) * dim ** -0.5
                if is_causal:
                    keep = torch.ones(hi - lo, c_hi - c_lo, dtype=torch.bool, device=q.device)
                    keep = torch.tril(keep, diagonal=lo - c_lo)
                    logits = logits.masked_fill(~keep, -torch.inf)
                m_new = torch.maximum(state["max"], logits.amax(-1))
                p = torch.exp(logits - m_new[:, :, None])
                factor = torch.exp(state["max"] - m_new)
                state["sum"] = factor * state["sum"] + p.sum(-1)
                state["out"] = torch.diag_embed(factor) @ state["out"] + p @ v_blk
                state["max"] = m_new
            out[:, lo:hi, :] = state["out"] / state["sum"][:, :, None]
            lse[:, lo:hi] = torch.log(state["sum"]) + state["max"]
        ctx.save_for_backward(q, k, v, out, lse)
        ctx.causal = is_causal
        return out

    @staticmethod
    def backward(ctx, do):
        q, k, v, out, lse = ctx.saved_tensors
        p = FlashAttentionAutograd._recompute_probs(q, k, lse, ctx.causal)
        dq, dk, dv = None, None, None
        dp = do @ v.transpose(-2, -1)
        # rowsum(O * dO) equals rowsum(P * dP), but is only n x d work
        dp -= (out * do).sum(-1, keepdim=True)
        ds = p * dp
        ds *= q.shape[-1] ** -0.5
        if ctx.needs_input_grad[0]:
            dq = ds @ k
        if ctx.needs_input_grad[1]:
            dk = ds.transpose(-2, -1) @ q
        if ctx.needs_input_grad[2]:
            dv = p.transpose(-2, -1) @ do
        return dq, dk, dv, None
