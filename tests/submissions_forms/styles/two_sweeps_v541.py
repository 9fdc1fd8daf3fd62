import torch

B = 16


def tile(t, i):
    return t.narrow(1, i * B, min(B, t.size(1) - i * B))


class TwoSweepAttention(torch.autograd.Function):
    """First sweep: log of the sum of each row, by logaddexp. Second sweep: weights that sum to one."""

    @staticmethod
    def scores(q, k, diagonal):
        s = torch.baddbmm(q.new_zeros(1), q, k.transpose(1, 2), alpha=q.size(2) ** -0.5)
        if diagonal:
            s = s + torch.full_like(s[0], float("-inf")).triu(1)
        return s

    @staticmethod
    def pairs(n, m, is_causal):
        """Tiles that see each other, and whether the mask cuts them."""
        for i in range(-(-n // B)):
            for j in range(i + 1 if is_causal else -(-m // B)):
                yield i, j, is_causal and i == j

    @staticmethod
    def forward(ctx, Q, K, V, is_causal=False):
        me = TwoSweepAttention
        todo = list(me.pairs(Q.size(1), K.size(1), is_causal))
        L = Q.new_full(Q.shape[:2], float("-inf"))
        for i, j, cut in todo:
            rows = tile(L, i)
            rows.copy_(torch.logaddexp(rows, me.scores(tile(Q, i), tile(K, j), cut).logsumexp(2)))
        O = torch.zeros_like(Q)
        for i, j, cut in todo:
            weights = torch.exp(me.scores(tile(Q, i), tile(K, j), cut) - tile(L, i).unsqueeze(2))
            tile(O, i).add_(weights.bmm(tile(V, j)))
        ctx.save_for_backward(Q, K, V, O, L)
        ctx.todo = todo
        return O

    @staticmethod
    def backward(ctx, gO):
        me = TwoSweepAttention
        Q, K, V, O, L = ctx.saved_tensors
        want_q, want_k, want_v = ctx.needs_input_grad[:3]
        c = Q.size(2) ** -0.5
        gQ = torch.zeros_like(Q) if want_q else None
        gK = torch.zeros_like(K) if want_k else None
        gV = torch.zeros_like(V) if want_v else None
        mean = (gO * O).sum(2, keepdim=True) if want_q or want_k else None
        for i, j, cut in ctx.todo:
            q, k, g = tile(Q, i), tile(K, j), tile(gO, i)
            w = torch.exp(me.scores(q, k, cut) - tile(L, i).unsqueeze(2))
            if want_v:
                tile(gV, j).add_(w.transpose(1, 2).bmm(g))
            if want_q or want_k:
                gS = (g.bmm(tile(V, j).transpose(1, 2)) - tile(mean, i)).mul_(w).mul_(c)
                if want_q:
                    tile(gQ, i).add_(gS.bmm(k))
                if want_k:
                    tile(gK, j).add_(gS.transpose(1, 2).bmm(q))
        return gQ, gK, gV, None
