"""Right passes on tensors by a third author who has not seen the search: tables of vectors, pairs
and rankings."""

from tensor_programs import program

CENTER = """
BELOW = {"c": "v", "o": "v"}
def v1(
    c: Int[Tensor, "n"], o: Int[Tensor, "n w"], *, V: Float[Tensor, "v d"], U: Float[Tensor, "v d"]
):
    logp = torch.log_softmax(V[c] @ U.T, 1)
    return -logp.gather(1, o).sum() / c.shape[0]
"""
BENGIO = """
BELOW = {"ctx": "v", "y": "v"}
def v1(
    ctx: Int[Tensor, "n 3"], y: Int[Tensor, "n"], *,
    C: Float[Tensor, "v d"], H: Float[Tensor, "3*d h"], d: Float[Tensor, "h"],
    U: Float[Tensor, "h v"],
):
    x = C[ctx].flatten(1)
    return F.cross_entropy(torch.tanh(x @ H + d) @ U + C.sum(1), y)
"""
BAG = """
BELOW = {"tok": "v", "here": 2, "y": "k"}
def v1(
    tok: Int[Tensor, "n t"], here: Int[Tensor, "n t"], y: Int[Tensor, "n"], *,
    E: Float[Tensor, "v d"], W: Float[Tensor, "d k"], b: Float[Tensor, "k"],
):
    m = here[:, :, None].to(E.dtype)
    mean = (E[tok] * m).sum(1) / (m.sum(1) + 1)
    return F.cross_entropy(mean @ W + b, y, reduction="sum")
"""
TRANSE = """
BELOW = {"h": "e", "r": "k", "t": "e", "bad": "e"}
def v1(
    h: Int[Tensor, "n"], r: Int[Tensor, "n"], t: Int[Tensor, "n"], bad: Int[Tensor, "n"], *,
    ent: Float[Tensor, "e d"], rel: Float[Tensor, "k d"],
):
    base = ent[h] + rel[r]
    good = ((base - ent[t]) ** 2).sum(1)
    false = ((base - ent[bad]) ** 2).sum(1)
    return torch.relu(1 + good - false).mean() + 0.05 * (ent ** 2).sum()
"""
DISTMULT = """
BELOW = {"h": "e", "r": "k", "t": "e", "y": 2}
def v1(
    h: Int[Tensor, "n"], r: Int[Tensor, "n"], t: Int[Tensor, "n"], y: Int[Tensor, "n"], *,
    A: Float[Tensor, "e d"], B: Float[Tensor, "k d"],
):
    s = (A[h] * B[r] * A[t]).sum(1)
    return F.softplus(-(2 * y - 1) * s).mean()
"""
PROTOTYPES = """
BELOW = {"y": 3}
def v1(
    support: Float[Tensor, "3 s d"], query: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    W: Float[Tensor, "d e"], b: Float[Tensor, "e"],
):
    proto = torch.relu(support @ W + b).mean(1)
    q = torch.relu(query @ W + b)
    d2 = ((q[:, None] - proto[None]) ** 2).sum(2)
    return F.cross_entropy(-d2, y)
"""
NTXENT = """
def v1(
    a: Float[Tensor, "n d"], b: Float[Tensor, "n d"], *,
    W: Float[Tensor, "d e"], c: Float[Tensor, "e"],
):
    z = torch.cat([a, b]) @ W + c
    z = z / torch.sqrt((z ** 2).sum(1, keepdim=True) + 0.01)
    n = a.shape[0]
    s = (z @ z.T / 0.5).masked_fill(torch.eye(2 * n) > 0, -1e4)
    return F.cross_entropy(s, (torch.arange(2 * n) + n) % (2 * n))
"""
MARGIN = """
BELOW = {"y": "c"}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    W: Float[Tensor, "d e"], centers: Float[Tensor, "c e"],
):
    f = torch.tanh(x @ W)
    cos = f @ centers.T - 0.3 * F.one_hot(y, centers.shape[0]).to(f.dtype)
    pull = ((f - centers[y]) ** 2).sum(1).mean()
    return F.cross_entropy(4 * cos, y) + 0.25 * pull
"""
NEURAL_CF = """
BELOW = {"u": "a", "i": "b", "seen": 2}
def v1(
    u: Int[Tensor, "n"], i: Int[Tensor, "n"], seen: Int[Tensor, "n"], *,
    P: Float[Tensor, "a d"], Q: Float[Tensor, "b d"], W: Float[Tensor, "2*d h"],
    g: Float[Tensor, "d"], v: Float[Tensor, "h"],
):
    p, q = P[u], Q[i]
    s = (p * q) @ g + torch.relu(torch.cat([p, q], 1) @ W) @ v
    return F.binary_cross_entropy_with_logits(s, seen.to(s.dtype))
"""
VECTORS = (
    program(
        "naive softmax over outside words",
        CENTER,
        """
        n, w = o.shape
        vocab = self.U.shape[0]
        gradV = torch.zeros_like(self.V)
        gradU = torch.zeros_like(self.U)
        loss = 0.0
        for k in range(n):
            v_c = self.V[c[k]]
            scores = self.U @ v_c
            scores = scores - scores.max()
            y_hat = torch.exp(scores) / torch.exp(scores).sum()
            for j in range(w):
                y_true = torch.zeros(vocab)
                y_true[o[k, j]] = 1
                loss = loss - torch.log(y_hat[o[k, j]])
                delta = (y_hat - y_true) / n
                gradV[c[k]] += self.U.T @ delta
                gradU += torch.outer(delta, v_c)
        self.V.grad = gradV
        self.U.grad = gradU
        return loss / n
    """,
    ),
    program(
        "words from three before",
        BENGIO,
        """
        n = y.shape[0]
        V, D = self.C.shape
        emb = self.C[ctx]
        x = emb.reshape(n, 3 * D)
        a = torch.tanh(x @ self.H + self.d)
        logits = a @ self.U + self.C.sum(1)
        counts = (logits - logits.max(1, keepdim=True).values).exp()
        probs = counts / counts.sum(1, keepdim=True)
        loss = -probs[torch.arange(n), y].log().mean()
        dlogits = probs.clone()
        dlogits[torch.arange(n), y] -= 1
        dlogits = dlogits / n
        self.U.grad = a.T @ dlogits
        dC = dlogits.sum(0).unsqueeze(1).repeat(1, D)
        da = dlogits @ self.U.T
        dpre = da * (1 - a ** 2)
        self.d.grad = dpre.sum(0)
        self.H.grad = x.T @ dpre
        demb = (dpre @ self.H.T).reshape(n, 3, D)
        for i in range(n):
            for j in range(3):
                dC[ctx[i, j]] += demb[i, j]
        self.C.grad = dC
        return loss
    """,
    ),
    program(
        "padded bag of words",
        BAG,
        """
        n, t = tok.shape
        m = here.float()
        length = m.sum(dim=1, keepdim=True) + 1
        E = self.E[tok]
        mean = torch.einsum("ntd,nt->nd", E, m) / length
        logits = torch.addmm(self.b, mean, self.W)
        lse = torch.logsumexp(logits, dim=1)
        loss = (lse - logits[torch.arange(n), y]).sum()
        del E
        dlogits = torch.exp(logits - lse[:, None])
        del lse, logits
        dlogits -= F.one_hot(y, dlogits.shape[1])
        self.b.grad = dlogits.sum(dim=0)
        self.W.grad = mean.T @ dlogits
        del mean
        dmean = dlogits @ self.W.T / length
        del dlogits, length
        drows = m.unsqueeze(2) * dmean.unsqueeze(1)
        del m, dmean
        dE = torch.zeros_like(self.E)
        dE.index_add_(0, tok.reshape(-1), drows.reshape(n * t, -1))
        self.E.grad = dE
        return loss
    """,
    ),
    program(
        "translations in a graph of facts",
        TRANSE,
        """
        n = h.shape[0]
        base = self.ent[h] + self.rel[r]
        to_good = base - self.ent[t]
        to_bad = base - self.ent[bad]
        pos = to_good.pow(2).sum(dim=1)
        neg = to_bad.pow(2).sum(dim=1)
        margin = 1 + pos - neg
        active = margin > 0
        loss = margin[active].sum() / n + 0.05 * self.ent.pow(2).sum()
        coef = active.float()[:, None] / n
        g_good = 2 * coef * to_good
        g_bad = -2 * coef * to_bad
        g_ent = 0.1 * self.ent
        g_ent = g_ent.index_add(0, h, g_good + g_bad)
        g_ent = g_ent.index_add(0, t, -g_good)
        g_ent = g_ent.index_add(0, bad, -g_bad)
        g_rel = torch.zeros_like(self.rel).index_add(0, r, g_good + g_bad)
        self.ent.grad = g_ent
        self.rel.grad = g_rel
        return loss
    """,
    ),
    program(
        "diagonal products of facts",
        DISTMULT,
        """
        n = y.numel()
        hot_h = F.one_hot(h, self.A.shape[0]).float()
        hot_t = F.one_hot(t, self.A.shape[0]).float()
        hot_r = F.one_hot(r, self.B.shape[0]).float()
        eh, et, er = hot_h @ self.A, hot_t @ self.A, hot_r @ self.B
        score = (eh * er * et).sum(1)
        sign = 2 * y.float() - 1
        loss = torch.log(1 + torch.exp(-sign * score)).mean()
        ds = -sign * torch.sigmoid(-sign * score) / n
        ds = ds.unsqueeze(1)
        deh, det, der = ds * er * et, ds * eh * er, ds * eh * et
        self.A.grad = hot_h.T @ deh + hot_t.T @ det
        self.B.grad = hot_r.T @ der
        return loss
    """,
    ),
    program(
        "prototypes of three classes",
        PROTOTYPES,
        """
        K, S, D = support.shape
        n = query.shape[0]
        both = torch.cat([support.reshape(K * S, D), query])
        z = both @ self.W + self.b
        f = torch.relu(z)
        fs, fq = f[: K * S], f[K * S :]
        proto = fs.reshape(K, S, -1).mean(dim=1)
        q2 = (fq ** 2).sum(1, keepdim=True)
        p2 = (proto ** 2).sum(1)
        logits = 2 * fq @ proto.T - q2 - p2
        logp = logits - torch.logsumexp(logits, 1, keepdim=True)
        loss = -logp.gather(1, y[:, None]).mean()
        g = torch.exp(logp)
        g.scatter_add_(1, y[:, None], -torch.ones(n, 1))
        g /= n
        dfq = 2 * g @ proto - 2 * g.sum(1, keepdim=True) * fq
        dproto = 2 * g.T @ fq - 2 * g.sum(0).unsqueeze(1) * proto
        dfs = dproto.unsqueeze(1).expand(K, S, -1).reshape(K * S, -1) / S
        dz = torch.cat([dfs, dfq]) * (z > 0)
        self.W.grad = both.T @ dz
        self.b.grad = dz.sum(0)
        return loss
    """,
    ),
    program(
        "contrast in a doubled batch",
        NTXENT,
        """
        n = a.shape[0]
        N, tau = 2 * n, 0.5
        x = torch.vstack([a, b])
        h = x @ self.W + self.c
        norm = torch.sqrt((h * h).sum(dim=1, keepdim=True) + 0.01)
        z = h / norm
        sim = z @ z.T / tau
        sim.fill_diagonal_(-1e4)
        pair = torch.cat([torch.arange(n, N), torch.arange(n)])
        p = torch.softmax(sim, dim=1)
        loss = -torch.log(p[torch.arange(N), pair]).mean()
        dsim = p.clone()
        dsim[torch.arange(N), pair] -= 1
        dsim.fill_diagonal_(0)
        dsim = dsim / (N * tau)
        dz = (dsim + dsim.T) @ z
        dh = (dz - z * (z * dz).sum(dim=1, keepdim=True)) / norm
        self.W.grad = x.T @ dh
        self.c.grad = dh.sum(dim=0)
        return loss
    """,
    ),
    program(
        "margin and centers",
        MARGIN,
        """
        n, scale = x.shape[0], 4
        C = self.centers.shape[0]
        mine = F.one_hot(y, C).to(x.dtype)
        f = torch.tanh(x @ self.W)
        logits = scale * (f @ self.centers.T - 0.3 * mine)
        p = torch.softmax(logits, 1)
        gap = f - mine @ self.centers
        ce = -(mine * torch.log(p)).sum() / n
        pull = (gap ** 2).sum() / n
        loss = ce + 0.25 * pull
        dcos = scale * (p - mine) / n
        dgap = 0.5 * gap / n
        df = dcos @ self.centers + dgap
        dcenters = dcos.T @ f
        dcenters -= mine.T @ dgap
        self.centers.grad = dcenters
        self.W.grad = x.T @ ((1 - f.pow(2)) * df)
        return loss
    """,
    ),
    program(
        "products and a net of users and items",
        NEURAL_CF,
        """
        n, d = u.shape[0], self.g.shape[0]
        p, q = self.P[u], self.Q[i]
        pq = torch.cat([p, q], dim=1)
        z = pq @ self.W
        hidden = z.clamp(min=0)
        prod = p * q
        s = prod @ self.g + hidden @ self.v
        target = seen.to(s.dtype)
        loss = (torch.clamp(s, min=0) - s * target + torch.log(1 + torch.exp(-s.abs()))).mean()
        ds = (torch.sigmoid(s) - target) / n
        s = target = None
        self.g.grad = prod.T @ ds
        prod = None
        self.v.grad = hidden.T @ ds
        hidden = None
        dprod = torch.outer(ds, self.g)
        dz = torch.outer(ds, self.v) * (z > 0)
        ds = z = None
        self.W.grad = pq.T @ dz
        pq = None
        dpq = dz @ self.W.T
        dz = None
        dp = dpq[:, :d] + dprod * q
        q = None
        dq = dpq[:, d:] + dprod * p
        dpq = dprod = p = None
        self.P.grad = torch.zeros_like(self.P).index_put((u,), dp, accumulate=True)
        dp = None
        self.Q.grad = torch.zeros_like(self.Q).index_put((i,), dq, accumulate=True)
        return loss
    """,
    ),
)
