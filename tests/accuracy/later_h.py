"""Right passes on tensors by an author who has not seen the search: probabilities, policies,
mixtures and graphs."""

from tensor_programs import program

VARIATIONAL = """
def v1(
    x: Float[Tensor, "n d"], eps: Float[Tensor, "n z"], *,
    We: Float[Tensor, "d z"], Ws: Float[Tensor, "d z"],
    Wd: Float[Tensor, "z d"], bd: Float[Tensor, "d"],
):
    mu, logvar = x @ We, torch.tanh(x @ Ws)
    out = (mu + eps * torch.exp(0.5 * logvar)) @ Wd + bd
    kl = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum()
    return (((out - x) ** 2).sum() + kl) / x.shape[0]
"""
POLICY = """
BELOW = {"a": "k"}
def v1(
    s: Float[Tensor, "t d"], a: Int[Tensor, "t"], ret: Float[Tensor, "t"], *,
    W: Float[Tensor, "d k"], v: Float[Tensor, "d"],
):
    logp = F.log_softmax(s @ W, dim=1)
    adv = ret - s @ v
    entropy = -(logp.exp() * logp).sum(1)
    chosen = logp[torch.arange(s.shape[0]), a]
    return (-(adv.detach() * chosen) + 0.5 * adv ** 2 - 0.1 * entropy).mean()
"""
CLIPPED = """
BELOW = {"a": "k"}
def v1(
    s: Float[Tensor, "n d"], a: Int[Tensor, "n"], adv: Float[Tensor, "n"], *,
    W: Float[Tensor, "d k"], b: Float[Tensor, "k"],
):
    logp = torch.log_softmax(s @ W + b, dim=1).gather(1, a[:, None])[:, 0]
    ratio = torch.exp(logp + math.log(W.shape[1]))
    return -torch.minimum(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean()
"""
CLUSTERS = """
def v1(
    x: Float[Tensor, "n d"], *,
    pi: Float[Tensor, "k"], mu: Float[Tensor, "k d"], logs: Float[Tensor, "k"],
):
    sq = ((x[:, None, :] - mu) ** 2).sum(2)
    part = F.log_softmax(pi, 0) - 0.5 * sq * torch.exp(-2 * logs) - x.shape[1] * logs
    return -torch.logsumexp(part, dim=1).mean()
"""
EXPERTS = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n o"], *,
    Wg: Float[Tensor, "d e"], We: Float[Tensor, "e d o"], be: Float[Tensor, "e o"],
):
    gate = torch.softmax(x @ Wg, dim=1)
    out = torch.tanh(torch.einsum("nd,edo->neo", x, We) + be)
    mixed = torch.einsum("ne,neo->no", gate, out)
    return ((mixed - y) ** 2).mean() + 0.1 * (gate.mean(0) ** 2).sum()
"""
GRAPH = """
BELOW = {"y": "c", "edge": 2}
def v1(
    X: Float[Tensor, "n d"], edge: Int[Tensor, "n n"], y: Int[Tensor, "n"], *,
    W0: Float[Tensor, "d h"], W1: Float[Tensor, "h c"],
):
    A = edge + edge.T + torch.eye(X.shape[0], dtype=X.dtype)
    r = torch.rsqrt(A.sum(1))
    A = r[:, None] * A * r
    return F.cross_entropy(A @ F.relu(A @ X @ W0) @ W1, y)
"""
RADIAL = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n"], *,
    centers: Float[Tensor, "m d"], logg: Float[Tensor, "m"], w: Float[Tensor, "m"],
):
    d2 = ((x[:, None] - centers[None]) ** 2).mean(2)
    phi = torch.exp(-F.softplus(logg) * d2)
    return ((phi @ w - y) ** 2).mean() + 0.05 * (w ** 2).sum()
"""
DISTILL = """
BELOW = {"y": "c"}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], teacher: Float[Tensor, "n c"], *,
    W: Float[Tensor, "d c"], b: Float[Tensor, "c"],
):
    z = x @ W + b
    soft = F.kl_div(F.log_softmax(z / 2, 1), F.softmax(teacher / 2, 1), reduction="batchmean")
    return 0.7 * 4 * soft + 0.3 * F.cross_entropy(z, y)
"""
FLOW = """
def v1(
    a: Float[Tensor, "n d"], b: Float[Tensor, "n e"], *,
    Ws: Float[Tensor, "d e"], bs: Float[Tensor, "e"], Wt: Float[Tensor, "d e"],
):
    s = torch.tanh(a @ Ws + bs)
    z = (b - a @ Wt) * torch.exp(-s)
    return (0.5 * (z ** 2).sum(1) + 0.5 * (a ** 2).sum(1) + s.sum(1)).mean()
"""
SETS = """
def v1(
    x: Float[Tensor, "n m d"], y: Float[Tensor, "n"], *,
    A: Float[Tensor, "d h"], a: Float[Tensor, "h"], B: Float[Tensor, "h h"], r: Float[Tensor, "h"],
):
    pooled = torch.relu(x @ A + a).mean(1)
    return (torch.log(torch.cosh(torch.tanh(pooled @ B) @ r - y))).mean()
"""

PROBABILITIES = (
    program(
        "variational autoencoder",
        VARIATIONAL,
        """
        n = x.shape[0]
        mu = x @ self.We
        logvar = torch.tanh(x @ self.Ws)
        std = torch.exp(0.5 * logvar)
        z = mu + eps * std
        recon = z @ self.Wd + self.bd
        diff = recon - x
        rec_loss = (diff ** 2).sum()
        kl = 0.5 * (mu ** 2 + std ** 2 - 1 - logvar).sum()
        loss = (rec_loss + kl) / n
        grad_recon = 2 * diff / n
        self.Wd.grad = z.T @ grad_recon
        self.bd.grad = grad_recon.sum(0)
        grad_z = grad_recon @ self.Wd.T
        grad_mu = grad_z + mu / n
        grad_std = grad_z * eps
        grad_logvar = 0.5 * grad_std * std
        grad_logvar += 0.5 * (std ** 2 - 1) / n
        self.We.grad = x.T @ grad_mu
        grad_pre = grad_logvar * (1 - logvar ** 2)
        self.Ws.grad = x.T @ grad_pre
        return loss
        """,
    ),
    program(
        "policy gradient with a critic",
        POLICY,
        """
        T = s.shape[0]
        steps = torch.arange(T)
        logits = s @ self.W
        logp = logits - torch.logsumexp(logits, dim=1, keepdim=True)
        p = logp.exp()
        value = s @ self.v
        adv = ret - value
        entropy = -(p * logp).sum(1)
        actor = -(adv * logp[steps, a]).sum() / T
        critic = 0.5 * (adv ** 2).sum() / T
        loss = actor + critic - 0.1 * entropy.sum() / T
        # the advantage is a constant for the actor
        dlogits = p.clone()
        dlogits[steps, a] -= 1
        dlogits = dlogits * adv[:, None]
        dentropy = -p * (logp + entropy[:, None])
        dlogits = (dlogits - 0.1 * dentropy) / T
        self.W.grad = s.T @ dlogits
        dvalue = -adv / T
        self.v.grad = s.T @ dvalue
        return loss
        """,
    ),
    program(
        "clipped policy",
        CLIPPED,
        """
        n, k = s.shape[0], self.W.shape[1]
        logits = s @ self.W + self.b
        logp = F.log_softmax(logits, dim=1)
        new = logp[torch.arange(n), a]
        ratio = torch.exp(new - math.log(1 / k))
        plain = ratio * adv
        clipped = torch.clamp(ratio, 0.8, 1.2) * adv
        loss = -torch.min(plain, clipped).mean()
        open_above = (adv > 0) & (ratio < 1.2)
        open_below = (adv < 0) & (ratio > 0.8)
        flows = (open_above | open_below).to(ratio.dtype)
        dratio = -adv * flows / n
        dnew = dratio * ratio
        hot = F.one_hot(a, k)
        dlogits = dnew.unsqueeze(1) * (hot - logp.exp())
        self.W.grad = s.T @ dlogits
        self.b.grad = dlogits.sum(0)
        return loss
        """,
    ),
    program(
        "mixture of gaussians",
        CLUSTERS,
        """
        n, D = x.shape
        w = torch.softmax(self.pi, dim=0)
        prec = torch.exp(-2 * self.logs)
        delta = x.unsqueeze(1) - self.mu.unsqueeze(0)
        sq = delta.pow(2).sum(-1)
        logjoint = torch.log(w) - 0.5 * prec * sq - D * self.logs
        top = logjoint.max(dim=1, keepdim=True).values
        total = torch.exp(logjoint - top).sum(1, keepdim=True)
        evidence = top + torch.log(total)
        nll = -evidence.mean()
        resp = torch.exp(logjoint - evidence)
        dlogjoint = -resp / n
        share = dlogjoint.sum(0)
        self.pi.grad = share - w * share.sum()
        dsq = -0.5 * prec * dlogjoint
        self.mu.grad = -2 * (dsq[:, :, None] * delta).sum(0)
        dlogs = dlogjoint * (prec * sq - D)
        self.logs.grad = dlogs.sum(dim=0)
        return nll
        """,
    ),
    program(
        "mixture of experts",
        EXPERTS,
        """
        n, E = x.shape[0], self.We.shape[0]
        g = torch.softmax(x @ self.Wg, dim=-1)
        outs = []
        mixed = torch.zeros_like(y)
        for e in range(E):
            o_e = torch.tanh(x @ self.We[e] + self.be[e])
            outs.append(o_e)
            mixed = mixed + g[:, e:e + 1] * o_e
        load = g.mean(0)
        diff = mixed - y
        loss = (diff ** 2).mean() + 0.1 * (load ** 2).sum()
        dmixed = 2 * diff / diff.numel()
        dg = torch.zeros_like(g)
        dWe, dbe = torch.zeros_like(self.We), torch.zeros_like(self.be)
        for e in range(E):
            dg[:, e] = (dmixed * outs[e]).sum(1)
            do = dmixed * g[:, e].unsqueeze(1)
            dpre = do * (1 - outs[e] ** 2)
            dWe[e] = x.T @ dpre
            dbe[e] = dpre.sum(0)
        dg += 0.2 * load / n
        dlogits = g * (dg - (g * dg).sum(1, keepdim=True))
        self.Wg.grad = x.T @ dlogits
        self.We.grad = dWe
        self.be.grad = dbe
        return loss
        """,
    ),
    program(
        "graph convolution",
        GRAPH,
        """
        n = X.shape[0]
        adj = (edge + edge.T).to(X.dtype)
        adj = adj + torch.eye(n)
        deg = adj.sum(dim=1)
        inv = deg.pow(-0.5)
        A_hat = torch.diag(inv) @ adj @ torch.diag(inv)
        AX = A_hat @ X
        Z = AX @ self.W0
        H = Z * (Z > 0)
        AH = A_hat @ H
        out = AH @ self.W1
        P = torch.softmax(out, dim=1)
        loss = -torch.log(P.gather(1, y.view(-1, 1))).sum() / n
        G = P - F.one_hot(y, P.shape[1])
        G = G / n
        self.W1.grad = AH.T @ G
        dAH = G @ self.W1.T
        dH = A_hat.T @ dAH
        dZ = dH * (Z > 0)
        self.W0.grad = AX.T @ dZ
        return loss
        """,
    ),
    program(
        "radial basis",
        RADIAL,
        """
        n, d = x.shape
        gap = x[:, None, :] - self.centers[None, :, :]
        dist = (gap ** 2).sum(dim=2) / d
        gamma = F.softplus(self.logg)
        phi = torch.exp(-gamma * dist)
        e = phi @ self.w - y
        loss = (e ** 2).mean()
        loss = loss + 0.05 * (self.w ** 2).sum()
        de = 2 * e / n
        dw = phi.T @ de
        self.w.grad = dw + 0.1 * self.w
        dphi = de[:, None] * self.w[None, :]
        darg = dphi * phi
        dgamma = -(darg * dist).sum(dim=0)
        self.logg.grad = dgamma * torch.sigmoid(self.logg)
        ddist = -darg * gamma
        dgap = 2 * gap * ddist[:, :, None] / d
        self.centers.grad = -dgap.sum(dim=0)
        return loss
        """,
    ),
    program(
        "distillation",
        DISTILL,
        """
        T, alpha = 2.0, 0.7
        n = y.shape[0]
        z = x @ self.W + self.b
        student_log = F.log_softmax(z / T, dim=1)
        target = F.softmax(teacher / T, dim=1)
        kl = (target * (target.log() - student_log)).sum() / n
        hard = F.log_softmax(z, dim=1)
        ce = -hard[torch.arange(n), y].mean()
        loss = alpha * T ** 2 * kl + (1 - alpha) * ce
        dsoft = (student_log.exp() - target) / T
        dsoft = dsoft * (T ** 2)
        dhard = hard.exp()
        dhard[torch.arange(n), y] -= 1
        dz = alpha * dsoft + (1 - alpha) * dhard
        dz /= n
        self.W.grad = x.T @ dz
        self.b.grad = dz.sum(0)
        return loss
        """,
    ),
    program(
        "affine coupling",
        FLOW,
        """
        n = a.shape[0]
        s = torch.tanh(a @ self.Ws + self.bs)
        shift = a @ self.Wt
        inv_scale = torch.exp(-s)
        centered = b - shift
        shift = None
        z = centered * inv_scale
        centered = None
        energy = 0.5 * (z * z).sum() + 0.5 * (a * a).sum()
        loss = (energy + s.sum()) / n
        energy = None
        grad_z = z / n
        grad_centered = grad_z * inv_scale
        inv_scale = None
        grad_shift = -grad_centered
        grad_centered = None
        self.Wt.grad = a.T @ grad_shift
        grad_shift = None
        grad_s = 1 / n - grad_z * z
        grad_z = z = None
        grad_pre = grad_s * (1 - s * s)
        s = grad_s = None
        self.Ws.grad = a.T @ grad_pre
        self.bs.grad = grad_pre.sum(0)
        return loss
        """,
    ),
    program(
        "sets",
        SETS,
        """
        n, m, d = x.shape
        flat = x.reshape(-1, d)
        pre = flat @ self.A + self.a
        pooled = torch.relu(pre).reshape(n, m, -1).mean(dim=1)
        t = torch.tanh(pooled @ self.B)
        e = t @ self.r - y
        size = e.abs()
        # log cosh without large exponentials
        loss = (size + torch.log1p(torch.exp(-2 * size)) - math.log(2)).mean()
        de = torch.tanh(e) / n
        self.r.grad = t.T @ de
        dt = de[:, None] * self.r
        du = dt * (1 - t * t)
        self.B.grad = pooled.T @ du
        dpooled = du @ self.B.T / m
        dact = dpooled.unsqueeze(1).expand(n, m, -1).reshape(n * m, -1)
        dpre = torch.where(pre > 0, dact, torch.zeros_like(dact))
        self.A.grad = flat.T @ dpre
        self.a.grad = dpre.sum(0)
        return loss
        """,
    ),
)
