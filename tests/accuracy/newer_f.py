"""Right passes on tensors by a third author who has not seen the search: attention."""

from tensor_programs import program

TILES = """
SIZES = {"n": (5, 7)}
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n e"], *,
    Wq: Float[Tensor, "d k"], Wk: Float[Tensor, "d k"], Wv: Float[Tensor, "d e"],
):
    s = (x @ Wq) @ (x @ Wk).T / Wq.shape[1] ** 0.5
    return ((torch.softmax(s, 1) @ (x @ Wv) - y) ** 2).sum()
"""
PADDED = """
BELOW = {"keep": 2}
def v1(
    x: Float[Tensor, "b t 4"], keep: Int[Tensor, "b t"], y: Float[Tensor, "b t 4"], *,
    Wqkv: Float[Tensor, "4 12"], Wo: Float[Tensor, "4 4"],
):
    q, k, v = (m.unflatten(2, (2, 2)).transpose(1, 2) for m in (x @ Wqkv).chunk(3, 2))
    s = q @ k.transpose(2, 3) / 2 ** 0.5
    s = s.masked_fill((keep == 0)[:, None, None, :], -1e4)
    o = (torch.softmax(s, 3) @ v).transpose(1, 2).flatten(2)
    return ((o @ Wo - y) ** 2).mean()
"""
LINEAR_CAUSAL = """
SIZES = {"t": (5, 6)}
def v1(
    x: Float[Tensor, "t d"], y: Float[Tensor, "t v"], *,
    Wq: Float[Tensor, "d k"], Wk: Float[Tensor, "d k"], Wv: Float[Tensor, "d v"],
):
    q, k = F.elu(x @ Wq) + 1, F.elu(x @ Wk) + 1
    s = (q @ k.T).tril()
    return ((s @ (x @ Wv) / (s.sum(1, keepdim=True) + 0.1) - y) ** 2).mean()
"""
ROTARY = """
def v1(
    x: Float[Tensor, "t d"], y: Float[Tensor, "t d"], *,
    Wq: Float[Tensor, "d 2"], Wk: Float[Tensor, "d 2"], Wv: Float[Tensor, "d d"],
):
    p = torch.arange(x.shape[0], dtype=x.dtype)
    c, s = torch.cos(p)[:, None], torch.sin(p)[:, None]
    q, k = x @ Wq, x @ Wk
    q = torch.cat([q[:, :1] * c - q[:, 1:] * s, q[:, :1] * s + q[:, 1:] * c], 1)
    k = torch.cat([k[:, :1] * c - k[:, 1:] * s, k[:, :1] * s + k[:, 1:] * c], 1)
    return ((torch.softmax(q @ k.T / 2 ** 0.5, 1) @ (x @ Wv) - y) ** 2).mean()
"""
GROUPED = """
def v1(
    x: Float[Tensor, "t d"], y: Float[Tensor, "t d"], *,
    Wq: Float[Tensor, "h d k"], Wk: Float[Tensor, "d k"], Wv: Float[Tensor, "d k"],
    Wo: Float[Tensor, "h k d"],
):
    s = torch.einsum("td,hdk->htk", x, Wq) @ (x @ Wk).T
    mask = torch.ones(x.shape[0], x.shape[0], dtype=x.dtype).triu(1) > 0
    p = torch.softmax(s.masked_fill(mask, -1e9), 2)
    return ((torch.einsum("htk,hkd->td", p @ (x @ Wv), Wo) - y) ** 2).mean()
"""
WINDOW = """
def v1(
    q: Float[Tensor, "t d"], x: Float[Tensor, "t d"], y: Float[Tensor, "t d"], *,
    K: Float[Tensor, "d d"], V: Float[Tensor, "d d"], sink: Float[Tensor, ""],
):
    i = torch.arange(x.shape[0])
    far = (i[:, None] - i[None, :]).abs() > 1
    e = torch.exp(q @ (x @ K).T).masked_fill(far, 0)
    return ((e @ (x @ V) / (e.sum(1, keepdim=True) + torch.exp(sink)) - y) ** 2).sum()
"""
HOPS = """
BELOW = {"a": "v"}
def v1(
    mem: Float[Tensor, "m d"], query: Float[Tensor, "d"], a: Int[Tensor, "1"], *,
    A: Float[Tensor, "d e"], C: Float[Tensor, "d e"], B: Float[Tensor, "d e"],
    W: Float[Tensor, "e v"],
):
    u = query @ B
    for _ in range(2):
        u = u + torch.softmax(mem @ A @ u, 0) @ mem @ C
    return F.cross_entropy((u @ W)[None], a)
"""
ATTENTION_HEADS = (
    program(
        "tiles of keys with a running maximum",
        TILES,
        """
        n, k = x.shape[0], self.Wq.shape[1]
        scale = 1 / math.sqrt(k)
        Q, K, V = x @ self.Wq, x @ self.Wk, x @ self.Wv
        O = torch.zeros(n, V.shape[1])
        m = torch.full((n, 1), -1e9)
        l = torch.zeros(n, 1)
        for j in range(0, n, 3):
            S = Q @ K[j : j + 3].T * scale
            m_new = torch.maximum(m, S.max(dim=1, keepdim=True).values)
            P = torch.exp(S - m_new)
            fix = torch.exp(m - m_new)
            l = fix * l + P.sum(dim=1, keepdim=True)
            O = fix * O + P @ V[j : j + 3]
            m = m_new
        O = O / l
        L = m + torch.log(l)
        loss = ((O - y) ** 2).sum()
        dO = 2 * (O - y)
        D = (dO * O).sum(dim=1, keepdim=True)
        dQ = torch.zeros_like(Q)
        dK, dV = torch.zeros_like(K), torch.zeros_like(V)
        for j in range(0, n, 3):
            P = torch.exp(Q @ K[j : j + 3].T * scale - L)
            dV[j : j + 3] = P.T @ dO
            dP = dO @ V[j : j + 3].T
            dS = P * (dP - D) * scale
            dQ += dS @ K[j : j + 3]
            dK[j : j + 3] = dS.T @ Q
        self.Wq.grad = x.T @ dQ
        self.Wk.grad = x.T @ dK
        self.Wv.grad = x.T @ dV
        return loss
    """,
    ),
    program(
        "two heads with padded keys",
        PADDED,
        """
        B, T, E = x.shape
        qkv = x.reshape(B * T, E) @ self.Wqkv
        q, k, v = qkv.view(B, T, 3, 2, 2).permute(2, 0, 3, 1, 4)
        pad = (keep == 0).view(B, 1, 1, T)
        scores = (q @ k.transpose(-2, -1)) / math.sqrt(2)
        scores = scores.masked_fill(pad, -1e4)
        att = torch.softmax(scores, dim=-1)
        heads = att @ v
        o = heads.transpose(1, 2).reshape(B * T, E)
        out = o @ self.Wo
        diff = out - y.reshape(B * T, E)
        loss = (diff ** 2).mean()

        dout = 2 * diff / diff.numel()
        self.Wo.grad = o.T @ dout
        do = dout @ self.Wo.T
        dheads = do.view(B, T, 2, 2).transpose(1, 2)
        datt = dheads @ v.transpose(-2, -1)
        dv = att.transpose(-2, -1) @ dheads
        dscores = att * (datt - (datt * att).sum(dim=-1, keepdim=True))
        dscores = dscores.masked_fill(pad, 0.0) / math.sqrt(2)
        dq = dscores @ k
        dk = dscores.transpose(-2, -1) @ q
        dqkv = torch.stack([dq, dk, dv]).permute(1, 3, 0, 2, 4).reshape(B * T, 3 * E)
        self.Wqkv.grad = x.reshape(B * T, E).T @ dqkv
        return loss
    """,
    ),
    program(
        "causal linear attention with a state",
        LINEAR_CAUSAL,
        """
        T, d = x.shape
        a, b, v = x @ self.Wq, x @ self.Wk, x @ self.Wv
        q = torch.where(a > 0, a + 1, torch.exp(a))
        k = torch.where(b > 0, b + 1, torch.exp(b))
        S = torch.zeros(k.shape[1], v.shape[1])
        z = torch.zeros(k.shape[1])
        states, sums, nums, dens = [], [], [], []
        for t in range(T):
            S = S + torch.outer(k[t], v[t])
            z = z + k[t]
            states.append(S)
            sums.append(z)
            nums.append(q[t] @ S)
            dens.append(q[t] @ z + 0.1)
        num, den = torch.stack(nums), torch.stack(dens).unsqueeze(1)
        out = num / den
        loss = ((out - y) ** 2).mean()
        dout = 2 * (out - y) / out.numel()
        dnum = dout / den
        dden = -(dnum * out).sum(1)
        dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
        dS, dz = torch.zeros_like(S), torch.zeros_like(z)
        for t in reversed(range(T)):
            dq[t] = states[t] @ dnum[t] + dden[t] * sums[t]
            dS += torch.outer(q[t], dnum[t])
            dz += dden[t] * q[t]
            dk[t] = dS @ v[t] + dz
            dv[t] = k[t] @ dS
        da = torch.where(a > 0, dq, dq * q)
        db = torch.where(b > 0, dk, dk * k)
        self.Wq.grad, self.Wk.grad, self.Wv.grad = x.T @ da, x.T @ db, x.T @ dv
        return loss
    """,
    ),
    program(
        "rotary positions",
        ROTARY,
        """
        t = x.shape[0]
        pos = torch.arange(t).to(x.dtype)
        cos, sin = torch.cos(pos), torch.sin(pos)
        del pos
        q0, k0, v = x @ self.Wq, x @ self.Wk, x @ self.Wv
        q = torch.empty_like(q0)
        q[:, 0] = q0[:, 0] * cos - q0[:, 1] * sin
        q[:, 1] = q0[:, 0] * sin + q0[:, 1] * cos
        del q0
        k = torch.empty_like(k0)
        k[:, 0] = k0[:, 0] * cos - k0[:, 1] * sin
        k[:, 1] = k0[:, 0] * sin + k0[:, 1] * cos
        del k0
        p = F.softmax(q @ k.T / math.sqrt(2), dim=1)
        err = p @ v - y
        loss = err.pow(2).mean()
        go = 2 * err / y.numel()
        del err
        gv = p.T @ go
        gp = go @ v.T
        del v
        gs = p * (gp - (gp * p).sum(1).unsqueeze(1)) / math.sqrt(2)
        del p, gp
        gq, gk = gs @ k, gs.T @ q
        del q, k, gs
        gq0 = torch.stack([gq[:, 0] * cos + gq[:, 1] * sin, gq[:, 1] * cos - gq[:, 0] * sin], 1)
        del gq
        gk0 = torch.stack([gk[:, 0] * cos + gk[:, 1] * sin, gk[:, 1] * cos - gk[:, 0] * sin], 1)
        del sin, gk, cos
        self.Wq.grad = x.T @ gq0
        del gq0
        self.Wk.grad = x.T @ gk0
        del gk0
        self.Wv.grad = x.T @ gv
        return loss
    """,
    ),
    program(
        "heads that share keys and values",
        GROUPED,
        """
        T = x.shape[0]
        causal = torch.tril(torch.ones(T, T)).bool()
        K, V = x @ self.Wk, x @ self.Wv
        qs, ps, zs = [], [], []
        out = torch.zeros_like(y)
        for h in range(self.Wq.shape[0]):
            q = x @ self.Wq[h]
            s = torch.where(causal, q @ K.T, torch.tensor(-1e9))
            p = torch.softmax(s, dim=1)
            z = p @ V
            out = out + z @ self.Wo[h]
            qs.append(q)
            ps.append(p)
            zs.append(z)
        loss = torch.mean((out - y) ** 2)
        dout = 2 * (out - y) / out.numel()
        dK, dV = torch.zeros_like(K), torch.zeros_like(V)
        dWq, dWo = torch.zeros_like(self.Wq), torch.zeros_like(self.Wo)
        for h, (q, p, z) in enumerate(zip(qs, ps, zs)):
            dWo[h] = z.T @ dout
            dz = dout @ self.Wo[h].T
            dV += p.T @ dz
            dp = dz @ V.T
            ds = p * (dp - (p * dp).sum(dim=1, keepdim=True))
            dK += ds.T @ q
            dWq[h] = x.T @ (ds @ K)
        self.Wq.grad, self.Wo.grad = dWq, dWo
        self.Wk.grad = x.T @ dK
        self.Wv.grad = x.T @ dV
        return loss
    """,
    ),
    program(
        "window with a sink",
        WINDOW,
        """
        T, d = q.shape
        idx = torch.arange(T)
        near = ((idx.view(T, 1) - idx.view(1, T)).abs() <= 1).float()
        k, v = x @ self.K, x @ self.V
        e = torch.exp(q @ k.T) * near
        s = torch.exp(self.sink)
        total = e.sum(1, keepdim=True) + s
        w = e / total
        out = w @ v
        r = out - y
        loss = (r * r).sum()
        near = None
        dout = 2 * r
        r = None
        dv = w.T @ dout
        dw = dout @ v.T
        v = None
        drow = (dout * out).sum(1, keepdim=True)
        dout = out = None
        dlogit = w * (dw - drow)
        dw = w = e = None
        self.sink.grad = -(drow / total).sum() * s
        drow = total = s = None
        dk = dlogit.T @ q
        dlogit = None
        self.K.grad = x.T @ dk
        dk = None
        self.V.grad = x.T @ dv
        return loss
    """,
    ),
    program(
        "memory with two hops",
        HOPS,
        """
        label = a[0]
        keys, vals = mem @ self.A, mem @ self.C
        u0 = self.B.T @ query
        p1 = torch.softmax(keys @ u0, dim=0)
        u1 = u0 + vals.T @ p1
        p2 = torch.softmax(keys @ u1, dim=0)
        u2 = u1 + vals.T @ p2
        logits = self.W.T @ u2
        loss = torch.logsumexp(logits, dim=0) - logits[label]
        dlogits = torch.softmax(logits, dim=0)
        dlogits[label] -= 1
        self.W.grad = torch.outer(u2, dlogits)
        du2 = self.W @ dlogits
        dvals = torch.outer(p2, du2)
        dp2 = vals @ du2
        ds2 = p2 * (dp2 - p2 @ dp2)
        dkeys = torch.outer(ds2, u1)
        du1 = du2 + keys.T @ ds2
        dvals += torch.outer(p1, du1)
        dp1 = vals @ du1
        ds1 = p1 * (dp1 - p1 @ dp1)
        dkeys += torch.outer(ds1, u0)
        du0 = du1 + keys.T @ ds1
        self.A.grad = mem.T @ dkeys
        self.C.grad = mem.T @ dvals
        self.B.grad = torch.outer(query, du0)
        return loss
    """,
    ),
)
