"""Right passes on tensors by an author who has not seen the search: rows of tables, pairs, graphs
and codes."""

from tensor_programs import program

BAG = """
BELOW = {"ids": "V", "y": "k"}
RANGES = {"keep": ((0, 1),)}
SIZES = {"k": (2, 4), "V": (3, 5)}
def v1(
    ids: Int[Tensor, "n L"], keep: Float[Tensor, "n L"], y: Int[Tensor, "n"], *,
    table: Float[Tensor, "V d"], w: Float[Tensor, "d k"], b: Float[Tensor, "k"],
):
    bag = (table[ids] * keep[..., None]).sum(1) / keep.sum(1, keepdim=True)
    return F.cross_entropy(bag @ w + b, y)
"""
CBOW = """
BELOW = {"context": "V", "center": "V", "negatives": "V"}
RANGES = {"freq": ((0.1, 1),)}
SIZES = {"V": (3, 6), "k": (1, 3)}
def v1(
    context: Int[Tensor, "n m"], center: Int[Tensor, "n"], negatives: Int[Tensor, "n k"],
    freq: Float[Tensor, "n"], *,
    W_in: Float[Tensor, "V d"], W_out: Float[Tensor, "V d"],
):
    v = W_in[context].mean(1)
    pos = (v * W_out[center]).sum(1)
    neg = torch.einsum("nd,nkd->nk", v, W_out[negatives])
    return -(freq * (F.logsigmoid(pos) + F.logsigmoid(-neg).sum(1))).mean()
"""
RATINGS = """
BELOW = {"u": "U", "i": "I"}
SIZES = {"U": (2, 4), "I": (2, 4)}
def v1(
    u: Int[Tensor, "n"], i: Int[Tensor, "n"], r: Float[Tensor, "n"], *,
    P: Float[Tensor, "U k"], Q: Float[Tensor, "I k"],
    bu: Float[Tensor, "U"], bi: Float[Tensor, "I"], mu: Float[Tensor, ""],
):
    pred = mu + bu[u] + bi[i] + (P[u] * Q[i]).sum(1)
    return ((r - pred) ** 2).mean() + 0.02 * ((P ** 2).sum() + (Q ** 2).sum())
"""
FACTORS = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n"], *,
    w0: Float[Tensor, ""], w: Float[Tensor, "d"], V: Float[Tensor, "d k"],
):
    pairs = 0.5 * ((x @ V) ** 2 - (x ** 2) @ (V ** 2)).sum(1)
    return F.soft_margin_loss(w0 + x @ w + pairs, torch.sign(y))
"""
SIAMESE = """
RANGES = {"same": ((0, 1),)}
def v1(
    a: Float[Tensor, "n d"], b: Float[Tensor, "n d"], same: Float[Tensor, "n"], *,
    W: Float[Tensor, "h d"], c: Float[Tensor, "h"],
):
    ea, eb = torch.tanh(F.linear(a, W, c)), torch.tanh(F.linear(b, W, c))
    dist = torch.sqrt(((ea - eb) ** 2).sum(1) + 0.001)
    return (same * dist ** 2 + (1 - same) * torch.clamp(1.5 - dist, min=0) ** 2).mean()
"""
GCN = """
BELOW = {"y": "c"}
RANGES = {"A": ((0, 1),)}
SIZES = {"n": (2, 5), "c": (2, 4)}
def v1(
    A: Float[Tensor, "n n"], X: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    W0: Float[Tensor, "d h"], W1: Float[Tensor, "h c"],
):
    looped = A + A.T + torch.eye(len(A), dtype=A.dtype)
    scale = looped.sum(1) ** -0.5
    norm = scale[:, None] * looped * scale
    return F.cross_entropy(norm @ torch.relu(norm @ X @ W0) @ W1, y)
"""
TENSOR = """
SIZES = {"d": (2, 3), "k": (1, 3)}
def v1(
    e1: Float[Tensor, "n d"], e2: Float[Tensor, "n d"], y: Float[Tensor, "n"], *,
    W: Float[Tensor, "k d d"], V: Float[Tensor, "k 2*d"], b: Float[Tensor, "k"],
    u: Float[Tensor, "k"],
):
    bilinear = torch.einsum("nd,kde,ne->nk", e1, W, e2)
    hidden = torch.tanh(bilinear + torch.cat([e1, e2], dim=1) @ V.T + b)
    return ((hidden @ u - y) ** 2).mean()
"""
SPARSE = """
RANGES = {"x": ((0.05, 0.95),)}
def v1(
    x: Float[Tensor, "n d"], *,
    W: Float[Tensor, "d h"], b: Float[Tensor, "h"], c: Float[Tensor, "d"],
):
    h = torch.sigmoid(x @ W + b)
    rho = h.mean(0)
    sparsity = (0.1 * torch.log(0.1 / rho) + 0.9 * torch.log(0.9 / (1 - rho))).sum()
    return 0.5 * ((h @ W.T + c - x) ** 2).sum(1).mean() + 0.3 * sparsity
"""
COSINE = """
SIZES = {"h": (2, 5)}
def v1(
    q: Float[Tensor, "n d"], k: Float[Tensor, "n e"], t: Float[Tensor, "n"], *,
    A: Float[Tensor, "d h"], B: Float[Tensor, "e h"], temp: Float[Tensor, ""],
):
    cos = F.cosine_similarity(q @ A, k @ B, dim=1)
    return ((torch.exp(temp) * cos - t) ** 2).mean()
"""
TRIPLET = """
BELOW = {"who": "V"}
SIZES = {"V": (2, 5)}
def v1(
    who: Int[Tensor, "n"], pos: Float[Tensor, "n f"], neg: Float[Tensor, "n f"], *,
    E: Float[Tensor, "V d"], M: Float[Tensor, "f d"],
):
    gap = ((E[who] - pos @ M) ** 2).sum(1) - ((E[who] - neg @ M) ** 2).sum(1)
    return torch.relu(gap + 1).mean()
"""
TABLES = (
    program(
        "bag with weights",
        BAG,
        """
        n, L = ids.shape
        total = keep.sum(1)
        share = keep / total[:, None]
        vecs = self.table[ids]
        bag = torch.bmm(share[:, None, :], vecs)[:, 0, :]
        scores = bag @ self.w + self.b
        exp = torch.exp(scores - scores.amax(1, keepdim=True))
        prob = exp / exp.sum(1, keepdim=True)
        rows = torch.arange(n)
        loss = prob[rows, y].log().neg().mean()
        prob[rows, y] -= 1
        d_scores = prob / n
        self.w.grad = bag.T @ d_scores
        self.b.grad = d_scores.sum(0)
        d_bag = d_scores @ self.w.T
        d_table = torch.zeros_like(self.table)
        for i in range(n):
            for j in range(L):
                d_table[ids[i, j]] += share[i, j] * d_bag[i]
        self.table.grad = d_table
        return loss
        """,
    ),
    program(
        "words from their context",
        CBOW,
        """
        n, m = context.shape
        k = negatives.shape[1]
        v = 0
        for j in range(m):
            v = v + self.W_in[context[:, j]]
        v = v / m
        u_pos = self.W_out[center]
        u_neg = self.W_out[negatives]
        s_pos = torch.sigmoid((v * u_pos).sum(dim=1))
        s_neg = torch.sigmoid(-(u_neg @ v.unsqueeze(2)).squeeze(2))
        loss = -(freq * (torch.log(s_pos) + torch.log(s_neg).sum(dim=1))).sum() / n
        g_pos = freq * (s_pos - 1) / n
        g_neg = freq[:, None] * (1 - s_neg) / n
        grad_out = torch.zeros_like(self.W_out)
        grad_out.index_add_(0, center, g_pos[:, None] * v)
        for j in range(k):
            grad_out.index_add_(0, negatives[:, j], g_neg[:, j, None] * v)
        self.W_out.grad = grad_out
        grad_v = g_pos[:, None] * u_pos + (g_neg.unsqueeze(2) * u_neg).sum(dim=1)
        grad_in = torch.zeros_like(self.W_in)
        for j in range(m):
            grad_in.index_add_(0, context[:, j], grad_v / m)
        self.W_in.grad = grad_in
        return loss
        """,
    ),
    program(
        "ratings with biases",
        RATINGS,
        """
        n = r.shape[0]
        pu, qi = self.P[u], self.Q[i]
        e = r - (self.mu + self.bu[u] + self.bi[i] + torch.sum(pu * qi, dim=1))
        reg = self.P.pow(2).sum() + self.Q.pow(2).sum()
        loss = e.pow(2).sum() / n + 0.02 * reg
        del reg
        g = -2 * e / n
        del e
        self.mu.grad = g.sum()
        self.bu.grad = torch.zeros_like(self.bu).scatter_add_(0, u, g)
        self.bi.grad = torch.zeros_like(self.bi).scatter_add_(0, i, g)
        gP, gQ = 0.04 * self.P, 0.04 * self.Q
        gP.index_add_(0, u, g.unsqueeze(1) * qi)
        del qi
        gQ.index_add_(0, i, g.unsqueeze(1) * pu)
        self.P.grad, self.Q.grad = gP, gQ
        return loss
        """,
    ),
    program(
        "factorisation machine",
        FACTORS,
        """
        label = torch.sign(y)
        xv = x @ self.V
        x2 = x * x
        pair = 0.5 * (xv.pow(2) - x2 @ self.V.pow(2)).sum(dim=1)
        score = self.w0 + x @ self.w + pair
        del pair
        z = torch.exp(-label * score)
        del score
        loss = torch.log(1 + z).mean()
        ds = -label * z / (1 + z) / len(y)
        del label, z
        self.w0.grad = ds.sum()
        self.w.grad = ds @ x
        self.V.grad = (x * ds.unsqueeze(1)).T @ xv - (ds @ x2)[:, None] * self.V
        return loss
        """,
    ),
    program(
        "siamese net with a margin",
        SIAMESE,
        """
        n = len(a)
        fa = torch.tanh(a @ self.W.t() + self.c)
        fb = torch.tanh(b @ self.W.t() + self.c)
        delta = fa - fb
        dist = (delta.pow(2).sum(dim=1) + 0.001).sqrt()
        slack = F.relu(1.5 - dist)
        loss = (same * dist.pow(2) + (1 - same) * slack.pow(2)).sum() / n
        ddist = 2 * (same * dist - (1 - same) * slack) / n
        del slack
        ddelta = (ddist / dist).unsqueeze(1) * delta
        del dist, ddist, delta
        dza = ddelta * (1 - fa.pow(2))
        del fa
        dzb = -ddelta * (1 - fb.pow(2))
        del ddelta, fb
        self.W.grad = dza.t() @ a + dzb.t() @ b
        self.c.grad = (dza + dzb).sum(dim=0)
        return loss
        """,
    ),
    program(
        "graph convolutions",
        GCN,
        """
        n = A.shape[0]
        A_hat = A + A.t() + torch.eye(n, dtype=A.dtype)
        D = torch.diag(A_hat.sum(dim=1).pow(-0.5))
        S = D @ A_hat @ D
        SX = S @ X
        H = torch.relu(SX @ self.W0)
        SH = S @ H
        logp = F.log_softmax(SH @ self.W1, dim=1)
        Y = torch.zeros_like(logp)
        Y[torch.arange(n), y] = 1
        loss = -(Y * logp).sum() / n
        G = (logp.exp() - Y) / n
        self.W1.grad = SH.t() @ G
        G = S.t() @ (G @ self.W1.t())
        G[H == 0] = 0
        self.W0.grad = SX.t() @ G
        return loss
        """,
    ),
    program(
        "neural tensor layer, slice by slice",
        TENSOR,
        """
        n = y.size(0)
        K = self.W.size(0)
        both = torch.cat((e1, e2), dim=1)
        pre = both.mm(self.V.t()) + self.b
        pre = pre + torch.stack([(e1.mm(self.W[k]) * e2).sum(1) for k in range(K)], dim=1)
        hid = torch.tanh(pre)
        del pre
        miss = hid.mv(self.u) - y
        loss = miss.pow(2).mean()
        dout = 2 * miss / n
        del miss
        self.u.grad = hid.t().mv(dout)
        dpre = dout.view(-1, 1) * self.u.view(1, -1) * (1 - hid * hid)
        del dout, hid
        self.b.grad = dpre.sum(0)
        self.V.grad = dpre.t().mm(both)
        self.W.grad = torch.stack([(dpre[:, k:k + 1] * e1).t().mm(e2) for k in range(K)])
        return loss
        """,
    ),
    program(
        "sparse autoencoder",
        SPARSE,
        """
        n, rho0, beta = x.shape[0], 0.1, 0.3
        h = 1 / (1 + torch.exp(-(x @ self.W + self.b)))
        rho = h.sum(0) / n
        err = h @ self.W.T + self.c - x
        kl = rho0 * torch.log(rho0 / rho) + (1 - rho0) * torch.log((1 - rho0) / (1 - rho))
        loss = 0.5 / n * (err ** 2).sum() + beta * kl.sum()
        del kl
        d_rec = err / n
        del err
        self.c.grad = d_rec.sum(0)
        d_rho = beta * (-rho0 / rho + (1 - rho0) / (1 - rho))
        del rho
        d_h = d_rec @ self.W + d_rho / n
        del d_rho
        d_z = d_h * h * (1 - h)
        del d_h
        self.b.grad = d_z.sum(0)
        self.W.grad = x.T @ d_z + d_rec.T @ h
        return loss
        """,
    ),
    program(
        "cosines with a temperature",
        COSINE,
        """
        u, v = q @ self.A, k @ self.B
        nu = u.norm(dim=1)
        nv = v.norm(dim=1)
        cos = (u * v).sum(1) / (nu * nv)
        s = self.temp.exp()
        diff = s * cos - t
        loss = (diff ** 2).mean()
        dlogit = 2 * diff / len(t)
        self.temp.grad = s * (dlogit * cos).sum()
        dcos = (s * dlogit)[:, None]
        un, vn = u / nu[:, None], v / nv[:, None]
        du = dcos * (vn - cos[:, None] * un) / nu[:, None]
        dv = dcos * (un - cos[:, None] * vn) / nv[:, None]
        self.A.grad = q.T @ du
        self.B.grad = k.T @ dv
        return loss
        """,
    ),
    program(
        "triplets against a table",
        TRIPLET,
        """
        n = who.shape[0]
        anchor = self.E[who]
        to_pos = anchor - pos @ self.M
        to_neg = anchor - neg @ self.M
        del anchor
        violation = to_pos.pow(2).sum(1) - to_neg.pow(2).sum(1) + 1
        loss = violation.clamp(min=0).mean()
        active = (violation > 0).type(violation.dtype).div(n).unsqueeze(1)
        del violation
        g_pos, g_neg = 2 * active * to_pos, 2 * active * to_neg
        del active, to_pos, to_neg
        grad_E = torch.zeros_like(self.E)
        grad_E.index_put_((who,), g_pos, accumulate=True)
        grad_E.index_put_((who,), -g_neg, accumulate=True)
        self.E.grad = grad_E
        self.M.grad = neg.T @ g_neg - pos.T @ g_pos
        return loss
        """,
    ),
)
