"""CS336 A2: flash attention in plain pytorch (no triton yet).

Instead of (m, l) I keep the running logsumexp and merge two partial softmaxes,
like ring attention does it.
"""
import torch
from torch import Tensor


def _visible(rows: range, cols: range, like: Tensor) -> Tensor:
    r = torch.tensor(list(rows), device=like.device)
    c = torch.tensor(list(cols), device=like.device)
    return r.unsqueeze(1) >= c.unsqueeze(0)


def _blocks(n: int, size: int = 16):
    start = 0
    while start < n:
        stop = min(start + size, n)
        yield range(start, stop)
        start = stop


class FlashAttentionTorch(torch.autograd.Function):
    @staticmethod
    def forward(ctx, Q, K, V, is_causal=False):
        temperature = Q.size(-1) ** 0.5
        O = torch.empty_like(Q)
        L = Q.new_empty(Q.shape[:-1])
        for rows in _blocks(Q.size(-2)):
            q = Q[:, rows.start:rows.stop]
            o = lse = None
            for cols in _blocks(K.size(-2)):
                if is_causal and cols.start > rows.stop - 1:
                    continue
                s = torch.matmul(q, K[:, cols.start:cols.stop].mT) / temperature
                if is_causal and cols.stop - 1 > rows.start:
                    s = s.masked_fill(~_visible(rows, cols, s), -torch.inf)
                block_lse = torch.logsumexp(s, dim=-1, keepdim=True)
                block_o = torch.matmul((s - block_lse).exp(), V[:, cols.start:cols.stop])
                if o is None:
                    o, lse = block_o, block_lse
                else:
                    both = torch.logaddexp(lse, block_lse)
                    o = o * (lse - both).exp() + block_o * (block_lse - both).exp()
                    lse = both
            O[:, rows.start:rows.stop] = o
            L[:, rows.start:rows.stop] = lse.squeeze(-1)
        ctx.save_for_backward(Q, K, V, O, L)
        ctx.causal = bool(is_causal)
        return O

    @staticmethod
    def backward(ctx, dO):
        Q, K, V, O, L = ctx.saved_tensors
        want_q, want_k, want_v, _ = ctx.needs_input_grad
        temperature = Q.size(-1) ** 0.5
        dQ = torch.zeros_like(Q) if want_q else None
        dK = torch.zeros_like(K) if want_k else None
        dV = torch.zeros_like(V) if want_v else None
        for rows in _blocks(Q.size(-2)):
            here = slice(rows.start, rows.stop)
            q, do = Q[:, here], dO[:, here]
            if want_q or want_k:
                delta = torch.einsum("bqd,bqd->bq", do, O[:, here]).unsqueeze(-1)
            for cols in _blocks(K.size(-2)):
                if ctx.causal and cols.start > rows.stop - 1:
                    continue
                there = slice(cols.start, cols.stop)
                p = (torch.matmul(q, K[:, there].mT) / temperature - L[:, here].unsqueeze(-1)).exp()
                if ctx.causal and cols.stop - 1 > rows.start:
                    p = p * _visible(rows, cols, p)
                if want_v:
                    dV[:, there] += torch.matmul(p.mT, do)
                if want_q or want_k:
                    ds = p * (torch.matmul(do, V[:, there].mT) - delta) / temperature
                    if want_q:
                        dQ[:, here] += torch.matmul(ds, K[:, there])
                    if want_k:
                        dK[:, there] += torch.matmul(ds.mT, q)
        return dQ, dK, dV, None
