"""Right passes on tensors by an author who has not seen the search: linear models and the losses
that courses ask for."""

from tensor_programs import program

NAIVE = """
BELOW = {"y": "c"}
def v1(X: Float[Tensor, "n d"], y: Int[Tensor, "n"], *, W: Float[Tensor, "d c"]):
    return F.cross_entropy(X @ W, y) + 0.3 * (W * W).sum()
"""
WEIGHTED = """
RANGES = {"s": ((0.2, 1.5), (0.5, 4))}
def v1(
    x: Float[Tensor, "n d"], t: Float[Tensor, "n"], s: Float[Tensor, "n"], *,
    w: Float[Tensor, "d"], b: Float[Tensor, ""],
):
    e = x @ w + b - t
    return (s * e ** 2).sum() / s.sum() + 0.1 * (w ** 2).sum()
"""
HUBER = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n k"], *,
    w: Float[Tensor, "k d"], b: Float[Tensor, "k"],
):
    return F.huber_loss(F.linear(x, w, b), y, delta=1.5)
"""
FOCAL = """
BELOW = {"y": 2}
RANGES = {"X": ((-1, 1), (-2, 2)), "w": ((-1, 1), (-0.5, 0.5))}
def v1(
    X: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    w: Float[Tensor, "d"], b: Float[Tensor, ""],
):
    p = torch.sigmoid(X @ w + b)
    pt = torch.where(y == 1, p, 1 - p)
    at = torch.where(y == 1, 0.25, 0.75).to(p.dtype)
    return -(at * (1 - pt) ** 2 * torch.log(pt)).mean()
"""
SQUARED_HINGE = """
BELOW = {"labels": 2}
def v1(
    feats: Float[Tensor, "n d"], labels: Int[Tensor, "n"], *,
    theta: Float[Tensor, "d"], theta0: Float[Tensor, ""],
):
    t = 2 * labels - 1
    slack = torch.clamp(1 - t * (feats @ theta + theta0), min=0)
    return 0.5 * (theta * theta).sum() + 2.0 * (slack ** 2).mean()
"""
SMOOTHING = """
BELOW = {"y": "c"}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    weight: Float[Tensor, "c d"], bias: Float[Tensor, "c"],
):
    return F.cross_entropy(F.linear(x, weight, bias), y, label_smoothing=0.2, reduction="sum")
"""
COUNTS = """
RANGES = {"k": ((0, 3), (1, 6))}
def v1(
    x: Float[Tensor, "n d"], k: Float[Tensor, "n"], *,
    w: Float[Tensor, "d"], b: Float[Tensor, ""],
):
    rate = F.softplus(x @ w + b) + 0.2
    return (rate - k * torch.log(rate)).mean()
"""
PINBALL = """
RANGES = {"tau": ((0.1, 0.9),)}
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n"], tau: Float[Tensor, "q"], *,
    W: Float[Tensor, "d q"], b: Float[Tensor, "q"],
):
    e = y[:, None] - (x @ W + b)
    return torch.maximum(tau * e, (tau - 1) * e).mean()
"""
RANKING = """
def v1(
    X: Float[Tensor, "n d"], rel: Float[Tensor, "n"], *,
    W1: Float[Tensor, "d h"], w2: Float[Tensor, "h"],
):
    s = torch.tanh(X @ W1) @ w2
    better = rel[:, None] > rel[None, :]
    return (F.softplus(-(s[:, None] - s[None, :])) * better).sum() / X.shape[0] ** 2
"""
MULTILABEL = """
BELOW = {"y": 2}
RANGES = {"pos": ((0.5, 3), (1, 2))}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n c"], pos: Float[Tensor, "c"], *,
    W: Float[Tensor, "d c"], b: Float[Tensor, "c"],
):
    return F.binary_cross_entropy_with_logits(x @ W + b, y.to(x.dtype), pos_weight=pos)
"""

SIMPLE = (
    program(
        "softmax regression in two loops",
        NAIVE,
        """
        num_train, num_classes = X.shape[0], self.W.shape[1]
        loss = 0.0
        dW = torch.zeros_like(self.W)
        for i in range(num_train):
            scores = X[i] @ self.W
            scores = scores - scores.max()
            exps = torch.exp(scores)
            total = exps.sum()
            loss = loss - torch.log(exps[y[i]] / total)
            for j in range(num_classes):
                coef = exps[j] / total
                if j == y[i]:
                    coef = coef - 1
                dW[:, j] += coef * X[i]
        loss = loss / num_train + 0.3 * (self.W * self.W).sum()
        dW /= num_train
        dW += 2 * 0.3 * self.W
        self.W.grad = dW
        return loss
        """,
    ),
    program(
        "weighted ridge",
        WEIGHTED,
        """
        pred = x @ self.w + self.b
        resid = pred - t
        norm = s.sum()
        loss = (s * resid.pow(2)).sum() / norm
        penalty = 0.1 * self.w.pow(2).sum()
        grad_resid = 2 * s * resid
        grad_resid = grad_resid / norm
        grad_w = x.t() @ grad_resid
        grad_w = grad_w + 0.2 * self.w
        self.w.grad = grad_w
        self.b.grad = grad_resid.sum()
        return loss + penalty
        """,
    ),
    program(
        "huber",
        HUBER,
        """
        delta = 1.5
        n, k = y.shape
        pred = x @ self.w.T + self.b
        r = pred - y
        pred = None
        a = r.abs()
        small = a <= delta
        quad = 0.5 * r ** 2
        lin = delta * (a - 0.5 * delta)
        a = None
        loss = torch.where(small, quad, lin).mean()
        quad = lin = None
        dr = torch.where(small, r, delta * torch.sign(r))
        r = small = None
        dr = dr / (n * k)
        self.w.grad = dr.T @ x
        self.b.grad = dr.sum(dim=0)
        return loss
        """,
    ),
    program(
        "binary focal loss",
        FOCAL,
        """
        N = y.size(0)
        t = y.to(X.dtype)
        z = X @ self.w + self.b
        p = 1 / (1 + torch.exp(-z))
        sign = 2 * t - 1
        pt = t * p + (1 - t) * (1 - p)
        alpha = t * 0.25 + (1 - t) * 0.75
        log_pt = torch.log(pt)
        q = 1 - pt
        loss = -(alpha * q ** 2 * log_pt).sum() / N
        # the modulating factor, then the logarithm
        dpt = 2 * q * log_pt
        del z, t, log_pt
        dpt = dpt - q ** 2 / pt
        dpt = alpha * dpt / N
        del q, pt, alpha
        dp = dpt * sign
        dz = dp * p * (1 - p)
        del sign, dpt, dp, p
        self.w.grad = X.T @ dz
        self.b.grad = dz.sum()
        return loss
        """,
    ),
    program(
        "squared hinge",
        SQUARED_HINGE,
        """
        C = 2.0
        n = feats.shape[0]
        t = (2 * labels - 1).to(feats.dtype)
        f = feats @ self.theta + self.theta0
        margin = 1 - t * f
        slack = torch.relu(margin)
        obj = 0.5 * self.theta.dot(self.theta) + C * (slack * slack).mean()
        dslack = 2 * C * slack / n
        dmargin = dslack * (margin > 0)
        df = -t * dmargin
        g = feats.T @ df
        self.theta.grad = self.theta + g
        self.theta0.grad = df.sum()
        return obj
        """,
    ),
    program(
        "label smoothing by targets",
        SMOOTHING,
        """
        eps = 0.2
        C = self.weight.shape[0]
        logits = x @ self.weight.T + self.bias
        shifted = logits - logits.max(dim=1, keepdim=True)[0]
        log_norm = torch.logsumexp(shifted, dim=1, keepdim=True)
        log_probs = shifted - log_norm
        targets = torch.full_like(logits, eps / C)
        targets.scatter_(1, y[:, None], 1 - eps + eps / C)
        loss = -(targets * log_probs).sum()
        dlog_probs = -targets
        dlogits = dlog_probs - torch.exp(log_probs) * dlog_probs.sum(1, keepdim=True)
        self.weight.grad = dlogits.T @ x
        self.bias.grad = dlogits.sum(0)
        return loss
        """,
    ),
    program(
        "poisson counts",
        COUNTS,
        """
        n = len(k)
        eta = x @ self.w + self.b
        soft = torch.clamp(eta, min=0) + torch.log1p(torch.exp(-eta.abs()))
        rate = soft + 0.2
        del soft
        logr = torch.log(rate)
        nll = (rate - k * logr).sum() / n
        del logr
        d_logr = -k / n
        d_rate = d_logr / rate
        del rate, d_logr
        d_rate += 1 / n
        sig = torch.sigmoid(eta)
        del eta
        d_eta = d_rate * sig
        del d_rate, sig
        self.w.grad = (x * d_eta[:, None]).sum(0)
        self.b.grad = d_eta.sum()
        return nll
        """,
    ),
    program(
        "quantiles",
        PINBALL,
        """
        n, q = x.shape[0], tau.shape[0]
        yhat = x.mm(self.W) + self.b
        err = y.view(-1, 1) - yhat
        over = tau * err
        under = (tau - 1) * err
        loss = torch.max(over, under).sum() / (n * q)
        slope = torch.where(err > 0, tau.expand(n, q), (tau - 1).expand(n, q))
        derr = slope / (n * q)
        dyhat = -derr
        self.W.grad = x.t().mm(dyhat)
        self.b.grad = dyhat.sum(dim=0)
        return loss
        """,
    ),
    program(
        "pairwise ranking",
        RANKING,
        """
        n = X.shape[0]
        h = torch.tanh(X @ self.W1)
        s = h @ self.w2
        better = (rel.unsqueeze(1) > rel.unsqueeze(0)).to(s.dtype)
        gap = s.unsqueeze(1) - s.unsqueeze(0)
        s = None
        per_pair = F.softplus(-gap)
        loss = (per_pair * better).sum() / n ** 2
        per_pair = None
        dgap = -torch.sigmoid(-gap) * better
        gap = better = None
        dgap = dgap / n ** 2
        ds = dgap.sum(1)
        ds = ds - dgap.sum(0)
        dgap = None
        self.w2.grad = h.T @ ds
        dh = torch.outer(ds, self.w2)
        ds = None
        dpre = dh * (1 - h ** 2)
        dh = h = None
        self.W1.grad = X.T @ dpre
        return loss
        """,
    ),
    program(
        "many labels",
        MULTILABEL,
        """
        size = y.numel()
        yf = y.to(x.dtype)
        logits = x @ self.W + self.b
        log_p = F.logsigmoid(logits)
        log_q = F.logsigmoid(-logits)
        total = pos * yf * log_p + (1 - yf) * log_q
        loss = -total.mean()
        del log_p, log_q, total
        p = torch.sigmoid(logits)
        dpos = pos * yf * (p - 1)
        dneg = (1 - yf) * p
        dlogits = dpos + dneg
        dlogits /= size
        self.W.grad = torch.einsum("nd,nc->dc", x, dlogits)
        self.b.grad = torch.einsum("nc->c", dlogits)
        return loss
        """,
    ),
)
