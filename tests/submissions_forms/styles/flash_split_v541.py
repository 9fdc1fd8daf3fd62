import math
import torch

BLOCK_Q = 16
BLOCK_K = 16
NEG_INF = float("-inf")


class MyFlashAttn(torch.autograd.Function):

    @staticmethod
    def forward(ctx, Q, K, V, is_causal=False):
        scale = math.sqrt(Q.size(-1))
        q_tiles = torch.split(Q, BLOCK_Q, dim=1)
        k_tiles = torch.split(K, BLOCK_K, dim=1)
        v_tiles = torch.split(V, BLOCK_K, dim=1)
        q_pos = torch.split(torch.arange(Q.size(1), device=Q.device), BLOCK_Q)
        k_pos = torch.split(torch.arange(K.size(1), device=K.device), BLOCK_K)

        outputs, logsumexps = [], []
        for q, qp in zip(q_tiles, q_pos):
            # acc is always normalised: softmax over the keys seen so far, times V
            acc = torch.zeros_like(q)
            mx = torch.full_like(q[..., :1], NEG_INF)
            den = torch.zeros_like(q[..., :1])
            for k, v, kp in zip(k_tiles, v_tiles, k_pos):
                s = q.bmm(k.mT) / scale
                if is_causal:
                    allowed = qp[:, None] >= kp[None, :]
                    s = torch.where(allowed, s, torch.full_like(s, NEG_INF))
                tile_mx = s.max(dim=-1, keepdim=True).values
                new_mx = torch.maximum(mx, tile_mx)
                old_part = den * torch.exp(mx - new_mx)
                e = torch.exp(s - new_mx)
                new_den = old_part + e.sum(dim=-1, keepdim=True)
                acc = (old_part * acc + e.bmm(v)) / new_den
                mx, den = new_mx, new_den
            outputs.append(acc)
            logsumexps.append(mx + den.log())

        out = torch.cat(outputs, 1)
        lse = torch.cat(logsumexps, 1)  # (B, N, 1)
        ctx.save_for_backward(Q, K, V, out, lse)
        ctx.is_causal = is_causal
        return out

    @staticmethod
    def backward(ctx, dout):
        Q, K, V, out, lse = ctx.saved_tensors
        scale = math.sqrt(Q.size(-1))
        need_q, need_k, need_v, _ = ctx.needs_input_grad
        n, m = Q.size(1), K.size(1)

        dK = torch.zeros_like(K)
        dV = torch.zeros_like(V)
        dq_tiles = []
        # one tile of queries against all keys
        for start in range(0, n, BLOCK_Q):
            stop = min(start + BLOCK_Q, n)
            q, o, do = Q[:, start:stop], out[:, start:stop], dout[:, start:stop]
            s = q.bmm(K.mT) / scale
            if ctx.is_causal:
                mask = torch.ones(stop - start, m, dtype=torch.bool, device=q.device)
                s = s.masked_fill(mask.triu(diagonal=start + 1), NEG_INF)
            p = torch.exp(s - lse[:, start:stop])
            dV = dV + p.mT.bmm(do)
            dp = do.bmm(V.mT)
            d = (do * o).sum(dim=-1, keepdim=True)
            ds = p * (dp - d) / scale
            dq_tiles.append(ds.bmm(K))
            dK = dK + ds.mT.bmm(q)
        dQ = torch.cat(dq_tiles, dim=1)
        return dQ if need_q else None, dK if need_k else None, dV if need_v else None, None
