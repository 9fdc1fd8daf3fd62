"""Right passes on tensors by a third author who has not seen the search: linear models, and losses
of regression, survival, ranking and counts."""

from tensor_programs import program

ELASTIC = """
def v1(
    X: Float[Tensor, "n d"], y: Float[Tensor, "n 1"], *,
    w: Float[Tensor, "d 1"], b: Float[Tensor, "1"],
):
    return ((X @ w + b - y) ** 2).mean() / 2 + 0.2 * w.abs().sum() + 0.05 * (w ** 2).sum()
"""
LOG_COSH = """
RANGES = {"x": ((-1, 1), (-2, 2)), "y": ((-1, 1), (-3, 3))}
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n k"], *,
    W: Float[Tensor, "k d"], c: Float[Tensor, "k"],
):
    return torch.log(torch.cosh(x @ W.T + c - y)).sum(1).mean()
"""
CAUCHY = """
def v1(
    x: Float[Tensor, "n d"], t: Float[Tensor, "n"], *,
    w: Float[Tensor, "d"], log_scale: Float[Tensor, ""],
):
    return (torch.log(1 + ((t - x @ w) / torch.exp(log_scale)) ** 2) + log_scale).mean()
"""
LAPLACE = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n"], *,
    wm: Float[Tensor, "d"], ws: Float[Tensor, "d"], bs: Float[Tensor, ""],
):
    s = F.softplus(x @ ws + bs) + 0.1
    return (torch.abs(y - x @ wm) / s + torch.log(2 * s)).sum()
"""
GAMMA = """
RANGES = {"y": ((0.1, 2), (0.5, 5)), "x": ((-1, 1), (-0.5, 0.5))}
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n"], exposure: Float[Tensor, "n"], *,
    beta: Float[Tensor, "d"], beta0: Float[Tensor, ""],
):
    eta = x @ beta + beta0 + exposure
    return (y * torch.exp(-eta) + eta).mean() + 0.5 * 0.1 * beta.dot(beta)
"""
ORDINAL = """
BELOW = {"level": 3}
def v1(
    x: Float[Tensor, "n d"], level: Int[Tensor, "n"], *,
    w: Float[Tensor, "d"], cuts: Float[Tensor, "2"],
):
    z = cuts[None, :] - (x @ w)[:, None]
    above = (level[:, None] > torch.arange(2)).to(x.dtype)
    return F.binary_cross_entropy_with_logits(z, 1 - above, reduction="sum") / x.shape[0]
"""
BOOST = """
BELOW = {"y": 2}
RANGES = {"x": ((-1, 1), (-0.5, 0.5)), "v": ((-1, 1), (-2, 2))}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    v: Float[Tensor, "d"], a: Float[Tensor, ""],
):
    return torch.exp(-(2 * y - 1) * (torch.tanh(x @ v) + a)).mean()
"""
LISTNET = """
def v1(
    docs: Float[Tensor, "q m d"], rel: Float[Tensor, "q m"], *,
    w: Float[Tensor, "d"], u: Float[Tensor, "d"],
):
    s = docs @ w + torch.relu(docs @ u)
    return -(torch.softmax(rel, 1) * torch.log_softmax(s, 1)).sum() / docs.shape[0]
"""
COX = """
BELOW = {"event": 2}
RANGES = {"x": ((-1, 1), (-2, 2))}
def v1(
    x: Float[Tensor, "n d"], event: Int[Tensor, "n"], *, beta: Float[Tensor, "d"]
):
    eta = x @ beta
    n = x.shape[0]
    risk = torch.ones(n, n, dtype=x.dtype).triu()
    return -(event * (eta - torch.log(risk @ torch.exp(eta)))).sum() / n
"""
PLACKETT = """
def v1(x: Float[Tensor, "m d"], *, w1: Float[Tensor, "d h"], w2: Float[Tensor, "h"]):
    s = torch.tanh(x @ w1) @ w2
    total = 0.0 * s.sum()
    for i in range(x.shape[0]):
        total = total + torch.logsumexp(s[i:], 0) - s[i]
    return total
"""
DICE = """
BELOW = {"mask": 2}
def v1(
    px: Float[Tensor, "n p c"], mask: Int[Tensor, "n p"], *,
    w: Float[Tensor, "c"], b: Float[Tensor, ""],
):
    p = torch.sigmoid(px @ w + b)
    return (1 - (2 * (p * mask).sum(1) + 1) / (p.sum(1) + mask.sum(1) + 1)).mean()
"""
LINEAR_LOSSES = (
    program(
        "elastic net",
        ELASTIC,
        """
        N = X.shape[0]
        y_hat = X.mm(self.w) + self.b
        residual = y_hat - y
        mse = residual.pow(2).mean() / 2
        l1 = self.w.abs().sum()
        l2 = (self.w * self.w).sum()
        loss = mse + 0.2 * l1 + 0.05 * l2
        # backward
        grad_y_hat = residual / N
        grad_w = X.t().mm(grad_y_hat)
        grad_w += 0.2 * torch.sign(self.w)
        grad_w += 0.1 * self.w
        self.w.grad = grad_w
        self.b.grad = grad_y_hat.sum(dim=0)
        return loss
    """,
    ),
    program(
        "log cosh",
        LOG_COSH,
        """
        r = torch.matmul(x, self.W.T) + self.c - y
        ep, em = torch.exp(r), torch.exp(-r)
        cosh = (ep + em) / 2
        loss = torch.log(cosh).sum(dim=1).mean()
        dloss_drow = 1 / x.shape[0]
        dcosh = dloss_drow / cosh
        dep = dcosh / 2
        dem = dcosh / 2
        dr = dep * ep - dem * em
        self.W.grad = torch.matmul(dr.T, x)
        self.c.grad = dr.sum(dim=0)
        return loss
    """,
    ),
    program(
        "cauchy with a scale",
        CAUCHY,
        """
        n = len(t)
        sigma = torch.exp(self.log_scale)
        res = t - x @ self.w
        u = res / sigma
        u2 = u * u
        loss = (torch.log(1 + u2) + self.log_scale).mean()
        # dL/du, then both of its parents
        d_u2 = 1.0 / (1 + u2) / n
        u2 = None
        d_u = 2 * u * d_u2
        d_u2 = u = None
        d_res = d_u / sigma
        d_sigma = -(d_u * res / sigma ** 2).sum()
        res = d_u = None
        self.w.grad = -x.T @ d_res
        d_res = None
        self.log_scale.grad = d_sigma * sigma + 1
        return loss
    """,
    ),
    program(
        "laplace nll with a head for the scale",
        LAPLACE,
        """
        mu = x @ self.wm
        a = x @ self.ws + self.bs
        s = F.softplus(a) + 0.1
        diff = y - mu
        dist = torch.abs(diff)
        loss = (dist / s + torch.log(2 * s)).sum()
        ddist = 1 / s
        ds = 1 / s - dist / s ** 2
        del dist
        ddiff = torch.where(diff > 0, ddist, -ddist)
        del diff, ddist
        dmu = -ddiff
        self.wm.grad = torch.mv(x.T, dmu)
        del ddiff, dmu, s
        da = ds * torch.sigmoid(a)
        del ds, a
        self.ws.grad = torch.mv(x.T, da)
        self.bs.grad = da.sum()
        return loss
    """,
    ),
    program(
        "gamma regression",
        GAMMA,
        """
        n, d = x.shape
        eta = x @ self.beta + self.beta0 + exposure
        inv_mean = (-eta).exp()
        ratio = y * inv_mean
        nll = (ratio + eta).mean()
        penalty = 0.05 * self.beta.pow(2).sum()
        g_eta = (1 - ratio) / n
        g_beta = torch.zeros(d)
        for i in range(n):
            g_beta += g_eta[i] * x[i]
        g_beta += 0.1 * self.beta
        self.beta.grad = g_beta
        self.beta0.grad = g_eta.sum()
        return nll + penalty
    """,
    ),
    program(
        "ordinal levels",
        ORDINAL,
        """
        n = x.size(0)
        score = x @ self.w
        z = self.cuts.unsqueeze(0) - score.unsqueeze(1)
        p = torch.sigmoid(z)
        target = torch.stack([level <= 0, level <= 1], dim=1).float()
        log_p = F.logsigmoid(z)
        log_q = F.logsigmoid(-z)
        loss = -(target * log_p + (1 - target) * log_q).sum() / n
        del score, z, log_q, log_p
        dz = (p - target) / n
        self.cuts.grad = dz.sum(0)
        dscore = -dz.sum(1)
        del p, target, dz
        self.w.grad = dscore @ x
        return loss
    """,
    ),
    program(
        "exponential loss",
        BOOST,
        """
        sign = 2.0 * y - 1
        h = torch.tanh(x.matmul(self.v))
        margin = sign * (h + self.a)
        weights = torch.exp(-margin)
        loss = weights.mean()
        dmargin = -weights / y.numel()
        df = dmargin * sign
        self.a.grad = df.sum()
        dh = df
        dpre = dh * (1 - h.square())
        self.v.grad = dpre.matmul(x)
        return loss
    """,
    ),
    program(
        "lists of documents",
        LISTNET,
        """
        Q, M, D = docs.shape
        flat = docs.reshape(Q * M, D)
        lin = (flat @ self.w).view(Q, M)
        pre = (flat @ self.u).view(Q, M)
        scores = lin + pre.clamp(min=0)
        P = torch.softmax(rel, dim=1)
        m = scores.max(dim=1, keepdim=True)[0]
        lse = torch.log(torch.exp(scores - m).sum(dim=1, keepdim=True)) + m
        log_q = scores - lse
        loss = -(P * log_q).sum() / Q
        grad_scores = (torch.exp(log_q) * P.sum(dim=1, keepdim=True) - P) / Q
        grad_pre = grad_scores * (pre > 0).float()
        self.w.grad = flat.T @ grad_scores.view(-1)
        self.u.grad = flat.T @ grad_pre.view(-1)
        return loss
    """,
    ),
    program(
        "cox regression",
        COX,
        """
        n = x.shape[0]
        eta = x @ self.beta
        hazard = torch.exp(eta)
        at_risk = torch.flip(torch.cumsum(torch.flip(hazard, [0]), 0), [0])
        loss = -(event * (eta - torch.log(at_risk))).sum() / n
        # the risk set of i is everybody from i on
        d_eta = -event / n
        d_at_risk = event / (n * at_risk)
        d_hazard = torch.cumsum(d_at_risk, 0)
        d_eta = d_eta + d_hazard * hazard
        self.beta.grad = x.T @ d_eta
        return loss
    """,
    ),
    program(
        "order by plackett and luce",
        PLACKETT,
        """
        m = x.shape[0]
        h = torch.tanh(x @ self.w1)
        s = h @ self.w2
        loss = 0.0
        ds = torch.zeros_like(s)
        for i in range(m):
            rest = s[i:]
            top = rest.max()
            e = torch.exp(rest - top)
            Z = e.sum()
            loss = loss + torch.log(Z) + top - s[i]
            ds[i:] += e / Z
            ds[i] -= 1
        self.w2.grad = h.T @ ds
        dh = torch.outer(ds, self.w2)
        dpre = dh * (1 - h * h)
        self.w1.grad = x.T @ dpre
        return loss
    """,
    ),
    program(
        "dice",
        DICE,
        """
        n = px.shape[0]
        y = mask.float()
        logits = torch.einsum("npc,c->np", px, self.w) + self.b
        p = torch.sigmoid(logits)
        inter = (p * y).sum(1, keepdim=True)
        size = p.sum(1, keepdim=True) + y.sum(1, keepdim=True)
        num = 2 * inter + 1
        den = size + 1
        loss = (1 - num / den).mean()
        dnum = -1 / den / n
        dden = num / den ** 2 / n
        dinter = 2 * dnum
        dp = dinter * y + dden
        dlogits = dp * p * (1 - p)
        self.w.grad = torch.einsum("np,npc->c", dlogits, px)
        self.b.grad = dlogits.sum()
        return loss
    """,
    ),
)
