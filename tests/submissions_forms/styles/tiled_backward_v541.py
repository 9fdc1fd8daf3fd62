import torch


class FlashAttention(torch.autograd.Function):
    TILE = 8

    @staticmethod
    def scores(Qi, Kj, i, j, is_causal):
        s = Qi @ Kj.mT * Qi.shape[-1] ** -0.5
        if is_causal:
            q_pos = torch.arange(i, i + Qi.shape[-2], device=s.device).unsqueeze(1)
            k_pos = torch.arange(j, j + Kj.shape[-2], device=s.device).unsqueeze(0)
            s = s.masked_fill(k_pos > q_pos, float("-inf"))
        return s

    @staticmethod
    def forward(ctx, Q, K, V, is_causal=False):
        T = FlashAttention.TILE
        O = torch.zeros_like(V)
        L = Q.new_zeros(Q.shape[:-1])
        for i in range(0, Q.shape[1], T):
            Qi = Q[:, i:i + T]
            top = Q.new_full(Qi.shape[:-1], float("-inf"))
            denom = torch.zeros_like(top)
            acc = V.new_zeros(*Qi.shape[:-1], V.shape[-1])
            for j in range(0, K.shape[1], T):
                if is_causal and j >= i + T:
                    break
                s = FlashAttention.scores(Qi, K[:, j:j + T], i, j, is_causal)
                new_top = torch.maximum(top, s.amax(-1))
                p = torch.exp(s - new_top.unsqueeze(-1))
                shrink = torch.exp(top - new_top)
                denom = denom * shrink + p.sum(-1)
                acc = acc * shrink.unsqueeze(-1) + p @ V[:, j:j + T]
                top = new_top
            O[:, i:i + T] = acc / denom.unsqueeze(-1)
            L[:, i:i + T] = top + denom.log()
        ctx.save_for_backward(Q, K, V, O, L)
        ctx.is_causal = is_causal
        return O

    @staticmethod
    def backward(ctx, dO):
        Q, K, V, O, L = ctx.saved_tensors
        T = FlashAttention.TILE
        need_q, need_k, need_v, _ = ctx.needs_input_grad
        scale = Q.shape[-1] ** -0.5
        dQ = torch.zeros_like(Q) if need_q else None
        dK = torch.zeros_like(K) if need_k else None
        dV = torch.zeros_like(V) if need_v else None
        # outer loop over keys, inner loop over queries (Algorithm 2)
        for j in range(0, K.shape[1], T):
            Kj, Vj = K[:, j:j + T], V[:, j:j + T]
            for i in range(0, Q.shape[1], T):
                if ctx.is_causal and i + T <= j:
                    continue
                Qi, dOi = Q[:, i:i + T], dO[:, i:i + T]
                s = FlashAttention.scores(Qi, Kj, i, j, ctx.is_causal)
                P = torch.exp(s - L[:, i:i + T].unsqueeze(-1))
                if need_v:
                    dV[:, j:j + T] += P.mT @ dOi
                if need_q or need_k:
                    delta = (dOi * O[:, i:i + T]).sum(-1, keepdim=True)
                    dS = P * (dOi @ Vj.mT - delta) * scale
                    if need_q:
                        dQ[:, i:i + T] += dS @ Kj
                    if need_k:
                        dK[:, j:j + T] += dS.mT @ Qi
        return dQ, dK, dV, None
