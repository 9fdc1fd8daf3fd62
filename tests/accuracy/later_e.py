"""Right passes on tensors by an author who has not seen the search: attention of several kinds."""

from tensor_programs import program

CROSS = """
BELOW = {"valid": 2}
def v1(
    q: Float[Tensor, "n d"], kv: Float[Tensor, "m e"], y: Float[Tensor, "n o"],
    valid: Int[Tensor, "m"], *,
    Wq: Float[Tensor, "d h"], Wk: Float[Tensor, "e h"], Wv: Float[Tensor, "e o"],
):
    s = (q @ Wq) @ (kv @ Wk).T / math.sqrt(Wq.shape[1])
    s = s.masked_fill(valid == 0, -30.0)
    return ((F.softmax(s, dim=-1) @ (kv @ Wv) - y) ** 2).mean()
"""
HEADS = """
SIZES = {"b": (1, 2), "t": (2, 3), "h": (1, 2), "k": (1, 3)}
def v1(
    x: Float[Tensor, "b t d"], y: Float[Tensor, "b t d"], *,
    wq: Float[Tensor, "h d k"], wk: Float[Tensor, "h d k"],
    wv: Float[Tensor, "h d k"], wo: Float[Tensor, "h k d"],
):
    q, k = torch.einsum("btd,hdk->bhtk", x, wq), torch.einsum("btd,hdk->bhtk", x, wk)
    v = torch.einsum("btd,hdk->bhtk", x, wv)
    a = torch.softmax(q @ k.transpose(-1, -2) / wq.shape[2] ** 0.5, dim=-1)
    return ((torch.einsum("bhtk,hkd->btd", a @ v, wo) - y) ** 2).sum() / x.shape[0]
"""
ADDITIVE = """
def v1(
    s: Float[Tensor, "n e"], enc: Float[Tensor, "n t d"], y: Float[Tensor, "n d"], *,
    Wa: Float[Tensor, "e a"], Ua: Float[Tensor, "d a"], va: Float[Tensor, "a"],
):
    score = torch.tanh((s @ Wa)[:, None, :] + enc @ Ua) @ va
    context = (F.softmax(score, dim=1)[:, :, None] * enc).sum(1)
    return 0.5 * ((context - y) ** 2).sum(1).mean()
"""
POOLING = """
BELOW = {"y": "c"}
def v1(
    x: Float[Tensor, "n t d"], y: Int[Tensor, "n"], *,
    query: Float[Tensor, "d"], W: Float[Tensor, "c d"], b: Float[Tensor, "c"],
):
    a = torch.softmax(x @ query / x.shape[2], dim=1)
    pooled = torch.einsum("nt,ntd->nd", a, x)
    return F.cross_entropy(pooled @ W.T + b, y)
"""
LINEAR = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n e"], *,
    wq: Float[Tensor, "d k"], wk: Float[Tensor, "d k"], wv: Float[Tensor, "d e"],
):
    q, k, v = torch.sigmoid(x @ wq), torch.sigmoid(x @ wk), x @ wv
    return (((q @ (k.T @ v)) / (q @ k.sum(0))[:, None] - y) ** 2).mean()
"""
BIASED = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n d"], *,
    Wqk: Float[Tensor, "d d"], Wv: Float[Tensor, "d d"], rel: Float[Tensor, "n"],
):
    n = x.shape[0]
    at = torch.arange(n)
    s = x @ Wqk @ x.T + rel[(at[:, None] - at).abs()]
    s = s.masked_fill(at[:, None] < at, float("-inf"))
    return ((x + torch.softmax(s, dim=1) @ (x @ Wv) - y) ** 2).sum()
"""
GRAPH_ATTENTION = """
BELOW = {"adj": 2}
def v1(
    x: Float[Tensor, "n d"], adj: Int[Tensor, "n n"], y: Float[Tensor, "n k"], *,
    W: Float[Tensor, "d k"], src: Float[Tensor, "k"], dst: Float[Tensor, "k"],
):
    h = x @ W
    e = F.leaky_relu((h @ src)[:, None] + (h @ dst)[None, :], 0.2)
    near = (adj + torch.eye(x.shape[0], dtype=x.dtype)) > 0
    a = torch.softmax(e.masked_fill(~near, -1e9), dim=1)
    return ((torch.tanh(a @ h) - y) ** 2).mean()
"""

ATTENTIONS = (
    program(
        "cross attention with lengths",
        CROSS,
        """
        scale = 1 / math.sqrt(self.Wq.shape[1])
        Q = q @ self.Wq
        K = kv @ self.Wk
        V = kv @ self.Wv
        S = scale * (Q @ K.T)
        blocked = (valid == 0)[None, :].expand(S.shape)
        S = torch.where(blocked, torch.full_like(S, -30.0), S)
        E = torch.exp(S - S.max(dim=-1, keepdim=True).values)
        del S
        A = E / E.sum(dim=-1, keepdim=True)
        del E
        ctx = A @ V
        loss = ((ctx - y) ** 2).mean()
        dctx = (ctx - y) * 2 / y.numel()
        del ctx
        dV = A.T @ dctx
        dA = dctx @ V.T
        del V
        dS = A * dA - A * (A * dA).sum(dim=-1, keepdim=True)
        del dA, A
        dS[blocked] = 0
        dS = dS * scale
        dQ = dS @ K
        del K
        dK = dS.T @ Q
        del dS, Q
        self.Wq.grad = q.T @ dQ
        del dQ
        self.Wk.grad = kv.T @ dK
        del dK
        self.Wv.grad = kv.T @ dV
        return loss
        """,
    ),
    program(
        "several heads by einsum",
        HEADS,
        """
        B = x.shape[0]
        root = math.sqrt(self.wq.shape[2])
        q = torch.einsum("btd,hdk->bhtk", x, self.wq)
        k = torch.einsum("btd,hdk->bhtk", x, self.wk)
        v = torch.einsum("btd,hdk->bhtk", x, self.wv)
        att = torch.softmax(torch.einsum("bhtk,bhsk->bhts", q, k) / root, dim=3)
        z = torch.einsum("bhts,bhsk->bhtk", att, v)
        out = torch.einsum("bhtk,hkd->btd", z, self.wo)
        diff = out - y
        loss = diff.pow(2).sum() / B
        g_out = diff * (2 / B)
        self.wo.grad = torch.einsum("bhtk,btd->hkd", z, g_out)
        g_z = torch.einsum("btd,hkd->bhtk", g_out, self.wo)
        g_v = torch.einsum("bhts,bhtk->bhsk", att, g_z)
        g_att = torch.einsum("bhtk,bhsk->bhts", g_z, v)
        inner = (g_att * att).sum(dim=3, keepdim=True)
        g_s = att * (g_att - inner) / root
        g_q = torch.einsum("bhts,bhsk->bhtk", g_s, k)
        g_k = torch.einsum("bhts,bhtk->bhsk", g_s, q)
        self.wq.grad = torch.einsum("btd,bhtk->hdk", x, g_q)
        self.wk.grad = torch.einsum("btd,bhtk->hdk", x, g_k)
        self.wv.grad = torch.einsum("btd,bhtk->hdk", x, g_v)
        return loss
        """,
    ),
    program(
        "additive attention",
        ADDITIVE,
        """
        n, T, d = enc.shape
        proj_s = s @ self.Wa
        proj_e = enc @ self.Ua
        feat = torch.tanh(proj_s.unsqueeze(1) + proj_e)
        proj_s = proj_e = None
        score = torch.matmul(feat, self.va)
        weights = torch.exp(score - torch.logsumexp(score, dim=1, keepdim=True))
        score = None
        context = torch.bmm(weights.unsqueeze(1), enc).squeeze(1)
        diff = context - y
        context = None
        loss = 0.5 * diff.pow(2).sum() / n
        dcontext = diff / n
        diff = None
        dweights = torch.bmm(enc, dcontext.unsqueeze(2)).squeeze(2)
        dcontext = None
        dscore = weights * dweights
        dweights = None
        dscore = dscore - weights * dscore.sum(1, keepdim=True)
        weights = None
        dva = (dscore.unsqueeze(2) * feat).sum(dim=(0, 1))
        dfeat = dscore.unsqueeze(2) * self.va
        dscore = None
        dpre = dfeat * (1 - feat ** 2)
        dfeat = feat = None
        self.va.grad = dva
        dva = None
        self.Wa.grad = s.T @ dpre.sum(1)
        dUa = torch.zeros_like(self.Ua)
        for t in range(T):
            dUa += enc[:, t].T @ dpre[:, t]
        dpre = None
        self.Ua.grad = dUa
        return loss
        """,
    ),
    program(
        "attention pooling",
        POOLING,
        """
        n, t, d = x.shape
        energy = (x * self.query).sum(2) / d
        top = energy.max(1, keepdim=True).values
        unnormalized = torch.exp(energy - top)
        a = unnormalized / unnormalized.sum(1, keepdim=True)
        pooled = (a[:, :, None] * x).sum(1)
        z = pooled @ self.W.T + self.b
        logp = torch.log_softmax(z, 1)
        loss = -logp[torch.arange(n), y].sum() / n
        delta = torch.exp(logp)
        delta[torch.arange(n), y] -= 1.0
        delta = delta / n
        self.W.grad = delta.T @ pooled
        self.b.grad = delta.sum(0)
        grad_pooled = delta @ self.W
        grad_a = (x * grad_pooled[:, None, :]).sum(2)
        grad_energy = a * (grad_a - (a * grad_a).sum(1)[:, None])
        grad_energy /= d
        self.query.grad = torch.einsum("nt,ntd->d", grad_energy, x)
        return loss
        """,
    ),
    program(
        "attention without softmax",
        LINEAR,
        """
        q = torch.sigmoid(x @ self.wq)
        k = torch.sigmoid(x @ self.wk)
        v = x @ self.wv
        memory = k.T @ v
        total = k.sum(0)
        num = q @ memory
        den = q @ total
        out = num / den[:, None]
        loss = ((out - y) ** 2).mean()
        d_out = 2 * (out - y) / y.numel()
        d_num = d_out / den[:, None]
        d_den = -(d_out * out).sum(1) / den
        d_memory = q.T @ d_num
        d_total = q.T @ d_den
        d_q = d_num @ memory.T
        d_q = d_q + torch.outer(d_den, total)
        d_k = v @ d_memory.T
        d_k = d_k + d_total
        d_v = k @ d_memory
        self.wq.grad = x.T @ (d_q * q * (1 - q))
        self.wk.grad = x.T @ (d_k * k * (1 - k))
        self.wv.grad = x.T @ d_v
        return loss
        """,
    ),
    program(
        "causal attention with distances",
        BIASED,
        """
        n = x.shape[0]
        pos = torch.arange(n)
        dist = (pos[:, None] - pos[None, :]).abs()
        future = pos[:, None] < pos[None, :]
        xw = x @ self.Wqk
        logits = xw @ x.T + self.rel[dist]
        logits = logits.masked_fill(future, -1e30)
        p = torch.softmax(logits, dim=1)
        v = x @ self.Wv
        err = x + p @ v - y
        loss = (err * err).sum()
        derr = 2 * err
        dv = p.T @ derr
        dp = derr @ v.T
        dlogits = p * (dp - (p * dp).sum(1, keepdim=True))
        self.Wv.grad = x.T @ dv
        dxw = dlogits @ x
        self.Wqk.grad = x.T @ dxw
        drel = torch.zeros_like(self.rel)
        for i in range(n):
            for j in range(i + 1):
                drel[i - j] += dlogits[i, j]
        self.rel.grad = drel
        return loss
        """,
    ),
    program(
        "graph attention",
        GRAPH_ATTENTION,
        """
        n = x.shape[0]
        h = x @ self.W
        left = h @ self.src
        right = h @ self.dst
        pre = left.unsqueeze(1) + right.unsqueeze(0)
        e = torch.where(pre > 0, pre, 0.2 * pre)
        linked = (adj > 0) | torch.eye(n).bool()
        expo = torch.exp(e - e.max(dim=1, keepdim=True).values) * linked
        del right, left, linked, e
        a = expo / expo.sum(dim=1, keepdim=True)
        out = torch.tanh(a @ h)
        loss = F.mse_loss(out, y)
        dout = 2 * (out - y) / out.numel()
        dagg = dout * (1 - out ** 2)
        da = dagg @ h.T
        dh = a.T @ dagg
        del expo, out, dagg
        de = a * (da - (a * da).sum(dim=1, keepdim=True))
        dpre = torch.where(pre > 0, de, 0.2 * de)
        del da, a, de, pre
        dleft = dpre.sum(dim=1)
        dright = dpre.sum(dim=0)
        self.src.grad = h.T @ dleft
        self.dst.grad = h.T @ dright
        dh += dleft.unsqueeze(1) * self.src
        del dpre, h, dleft
        dh += dright.unsqueeze(1) * self.dst
        self.W.grad = x.T @ dh
        return loss
        """,
    ),
)
