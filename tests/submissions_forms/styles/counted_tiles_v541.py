import math

import torch


def visible(i, j, rows, cols):
    return torch.arange(i, i + rows)[:, None] >= torch.arange(j, j + cols)


class Flash(torch.autograd.Function):
    Br, Bc = 8, 16
    tiles = 0

    @staticmethod
    def forward(ctx, Q, K, V, is_causal=False):
        scale = Q.shape[-1] ** -0.5
        O, L = [], []
        for i in range(0, Q.shape[1], Flash.Br):
            q = Q[:, i:i + Flash.Br] * scale
            m = l = o = None
            for j in range(0, K.shape[1], Flash.Bc):
                if is_causal and j > i + q.shape[1] - 1:
                    break
                Flash.tiles += 1
                s = q @ K[:, j:j + Flash.Bc].transpose(1, 2)
                if is_causal:
                    s = s.masked_fill(~visible(i, j, s.shape[1], s.shape[2]), -math.inf)
                top = s.amax(-1, keepdim=True)
                new = top if m is None else torch.maximum(m, top)
                p = (s - new).exp()
                if m is None:
                    l, o = p.sum(-1, keepdim=True), p @ V[:, j:j + Flash.Bc]
                else:
                    old = (m - new).exp()
                    l = old * l + p.sum(-1, keepdim=True)
                    o = old * o + p @ V[:, j:j + Flash.Bc]
                m = new
            O.append(o / l)
            L.append(m + l.log())
        O, L = torch.cat(O, 1), torch.cat(L, 1)
        ctx.save_for_backward(Q, K, V, O, L)
        ctx.is_causal, ctx.scale = is_causal, scale
        return O

    @staticmethod
    def backward(ctx, dO):
        Q, K, V, O, L = ctx.saved_tensors
        needs_q, needs_k, needs_v, _ = ctx.needs_input_grad
        S = Q @ K.transpose(1, 2) * ctx.scale
        if ctx.is_causal:
            S = S.masked_fill(~visible(0, 0, S.shape[1], S.shape[2]), -math.inf)
        P = (S - L).exp()
        dQ = dK = dV = None
        if needs_v:
            dV = P.transpose(1, 2) @ dO
        if needs_q or needs_k:
            dS = P * (dO @ V.transpose(1, 2) - (dO * O).sum(-1, keepdim=True)) * ctx.scale
            if needs_q:
                dQ = dS @ K
            if needs_k:
                dK = dS.transpose(1, 2) @ Q
        return dQ, dK, dV, None
