"""Right passes on attention, as others than the search's author write them: heads and batches."""

from tensor_programs import program

HEADS = """
def v1(
    x: Float[Tensor, "B T C"], dout: Float[Tensor, "B T E"], *,
    wqkv: Float[Tensor, "C 6*k"], wo: Float[Tensor, "2*k E"],
):
    B, T, _ = x.shape
    q, k, v = (p.view(B, T, 2, -1).transpose(1, 2) for p in (x @ wqkv).chunk(3, -1))
    y = torch.softmax(q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5, -1) @ v
    return (y.transpose(1, 2).reshape(B, T, -1) @ wo * dout).sum()
"""
CROSS = """
def v1(
    x: Float[Tensor, "B N D"], mem: Float[Tensor, "B M P"], y: Float[Tensor, "B N V"], *,
    WQ: Float[Tensor, "D K"], WK: Float[Tensor, "P K"], WV: Float[Tensor, "P V"],
):
    S = torch.bmm(x @ WQ, (mem @ WK).transpose(1, 2)) / math.sqrt(WQ.shape[1])
    return F.mse_loss(torch.bmm(torch.softmax(S, 2), mem @ WV), y, reduction="sum") / x.shape[0]
"""
ADDITIVE = """
def v1(
    states: Float[Tensor, "b t h"], query: Float[Tensor, "b h"], target: Float[Tensor, "b h"], *,
    Wa: Float[Tensor, "h a"], Ua: Float[Tensor, "h a"], va: Float[Tensor, "a"],
):
    e = torch.tanh(states @ Ua + (query @ Wa)[:, None]) @ va
    context = (torch.softmax(e, 1)[:, :, None] * states).sum(1)
    return ((context - target) ** 2).mean()
"""
ATTENTION = (
    program(
        "heads by transpose",
        HEADS,
        """
        B, T, C = x.size()
        n_head = 2
        q, k, v = (x @ self.wqkv).split(self.wo.size(0), dim=2)
        hs = q.size(-1) // n_head
        q = q.view(B, T, n_head, hs).transpose(1, 2)
        k = k.view(B, T, n_head, hs).transpose(1, 2)
        v = v.view(B, T, n_head, hs).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(hs))
        att = F.softmax(att, dim=-1)
        y = (att @ v).transpose(1, 2).contiguous().view(B, T, n_head * hs)
        loss = ((y @ self.wo) * dout).sum()
        self.wo.grad = y.view(B * T, -1).t() @ dout.reshape(B * T, -1)
        dy = (dout @ self.wo.t()).view(B, T, n_head, hs).transpose(1, 2)
        dv = att.transpose(-2, -1) @ dy
        datt = dy @ v.transpose(-2, -1)
        dpre = att * (datt - (datt * att).sum(dim=-1, keepdim=True))
        dpre = dpre / math.sqrt(hs)
        dq = dpre @ k
        dk = dpre.transpose(-2, -1) @ q
        dqkv = torch.cat([p.transpose(1, 2).reshape(B, T, -1) for p in (dq, dk, dv)], dim=-1)
        self.wqkv.grad = x.reshape(B * T, C).t() @ dqkv.view(B * T, -1)
        return loss
        """,
    ),
    program(
        "heads by einsum",
        HEADS,
        """
        B, T, _ = x.shape
        qkv = torch.einsum("btc,ce->bte", x, self.wqkv).reshape(B, T, 3, 2, -1)
        Q, K, V = qkv.unbind(2)
        scale = Q.shape[-1] ** -0.5
        S = torch.einsum("bihd,bjhd->bhij", Q, K) * scale
        P = torch.softmax(S, dim=-1)
        O = torch.einsum("bhij,bjhd->bihd", P, V)
        out = torch.einsum("btm,me->bte", O.reshape(B, T, -1), self.wo)
        loss = (out * dout).sum()
        self.wo.grad = torch.einsum("btm,bte->me", O.reshape(B, T, -1), dout)
        dO = torch.einsum("bte,me->btm", dout, self.wo).reshape(O.shape)
        delta = (dO * O).sum(-1).transpose(1, 2).unsqueeze(-1)
        dV = torch.einsum("bhij,bihd->bjhd", P, dO)
        dP = torch.einsum("bihd,bjhd->bhij", dO, V)
        dS = P * (dP - delta) * scale
        dQ = torch.einsum("bhij,bjhd->bihd", dS, K)
        dK = torch.einsum("bhij,bihd->bjhd", dS, Q)
        dqkv = torch.stack([dQ, dK, dV], dim=2).reshape(B, T, -1)
        self.wqkv.grad = torch.einsum("btc,bte->ce", x, dqkv)
        return loss
        """,
    ),
    program(
        "cross attention by bmm",
        CROSS,
        """
        B = x.shape[0]
        Q, K, V = x @ self.WQ, mem @ self.WK, mem @ self.WV
        S = torch.bmm(Q, K.permute(0, 2, 1)) / Q.shape[-1] ** 0.5
        S = S - S.max(dim=-1, keepdim=True).values
        P = torch.exp(S)
        P = P / P.sum(dim=-1, keepdim=True)
        out = torch.bmm(P, V)
        loss = torch.sum((out - y) ** 2) / B
        dO = 2 * (out - y) / B
        dV = torch.bmm(P.permute(0, 2, 1), dO)
        dP = torch.bmm(dO, V.permute(0, 2, 1))
        D = torch.sum(dO * out, dim=-1, keepdim=True)
        dS = P * (dP - D) / Q.shape[-1] ** 0.5
        dQ = torch.bmm(dS, K)
        dK = torch.bmm(dS.permute(0, 2, 1), Q)
        self.WQ.grad = torch.bmm(x.permute(0, 2, 1), dQ).sum(dim=0)
        self.WK.grad = torch.bmm(mem.permute(0, 2, 1), dK).sum(dim=0)
        self.WV.grad = torch.bmm(mem.permute(0, 2, 1), dV).sum(dim=0)
        return loss
        """,
    ),
    program(
        "additive attention",
        ADDITIVE,
        """
        keys = torch.matmul(states, self.Ua)
        proj = torch.matmul(query, self.Wa).unsqueeze(1)
        feat = torch.tanh(keys + proj)
        energy = torch.matmul(feat, self.va)
        alpha = torch.softmax(energy, dim=1)
        context = torch.bmm(alpha.unsqueeze(1), states).squeeze(1)
        diff = context - target
        loss = diff.pow(2).mean()
        dcontext = 2.0 / diff.numel() * diff
        dalpha = torch.bmm(states, dcontext.unsqueeze(2)).squeeze(2)
        denergy = alpha * (dalpha - (alpha * dalpha).sum(dim=1, keepdim=True))
        self.va.grad = torch.einsum("bt,bta->a", denergy, feat)
        dfeat = denergy.unsqueeze(-1) * self.va
        dpre = dfeat * (1 - feat.pow(2))
        self.Ua.grad = torch.einsum("bth,bta->ha", states, dpre)
        dproj = dpre.sum(dim=1)
        self.Wa.grad = query.t() @ dproj
        return loss
        """,
    ),
)
