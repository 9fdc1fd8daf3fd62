"""Right passes on tensors by an author who has not seen the search: regressions and classifiers
of one or two layers."""

from tensor_programs import program

POLYNOMIAL = """
def v1(x: Float[Tensor, "m"], t: Float[Tensor, "m"], *, theta: Float[Tensor, "4"]):
    powers = torch.stack([x ** k for k in range(4)], dim=1)
    return ((powers @ theta - t) ** 2).mean() / 2 + 0.05 * (theta[1:] ** 2).sum()
"""
LOGISTIC = """
RANGES = {"y": ((0, 1),)}
def v1(
    X: Float[Tensor, "N D"], y: Float[Tensor, "N"], *,
    w: Float[Tensor, "D"], b: Float[Tensor, ""],
):
    return F.binary_cross_entropy_with_logits(X @ w + b, y) + 0.01 * (w ** 2).sum()
"""
GAUSSIAN = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n"], *,
    w: Float[Tensor, "d h"], u: Float[Tensor, "h"], v: Float[Tensor, "h"], c: Float[Tensor, ""],
):
    h = torch.tanh(x @ w)
    mu, logvar = h @ u, h @ v + c
    return 0.5 * (logvar + (y - mu) ** 2 * torch.exp(-logvar)).mean()
"""
SMOOTH = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n k"], *,
    w1: Float[Tensor, "d h"], b1: Float[Tensor, "h"],
    w2: Float[Tensor, "h k"], b2: Float[Tensor, "k"],
):
    h = F.leaky_relu(x @ w1 + b1, 0.1)
    return F.smooth_l1_loss(h @ w2 + b2, y, beta=0.5)
"""
KL = """
SIZES = {"c": (2, 6)}
def v1(
    x: Float[Tensor, "N d"], teacher: Float[Tensor, "N c"], *,
    W: Float[Tensor, "c d"], b: Float[Tensor, "c"],
):
    logp = F.log_softmax(x @ W.t() + b, dim=1)
    return F.kl_div(logp, F.softmax(teacher, dim=1), reduction="batchmean")
"""
SMOOTHED = """
BELOW = {"y": "c"}
SIZES = {"c": (2, 6)}
def v1(
    inputs: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    fc1: Float[Tensor, "h d"], fc2: Float[Tensor, "c h"], bias: Float[Tensor, "c"],
):
    logits = F.linear(torch.tanh(F.linear(inputs, fc1)), fc2, bias)
    return F.cross_entropy(logits, y, label_smoothing=0.1)
"""
MARGIN = """
BELOW = {"y": "c"}
SIZES = {"c": (2, 6)}
def v1(X: Float[Tensor, "n d"], y: Int[Tensor, "n"], *, W: Float[Tensor, "d c"]):
    return F.multi_margin_loss(X @ W, y, p=2) + 0.5 * 0.1 * (W * W).sum()
"""
BINARY_SVM = """
def v1(
    X: Float[Tensor, "n d"], y: Float[Tensor, "n"], *,
    w: Float[Tensor, "d"], b: Float[Tensor, ""],
):
    hinge = torch.clamp(1 - torch.sign(y) * (X @ w + b), min=0)
    return hinge.mean() + 0.05 * w.dot(w)
"""
SIMPLE = (
    program(
        "polynomial by its powers",
        POLYNOMIAL,
        """
        m = len(x)
        phi = torch.ones(m, 4, dtype=x.dtype)
        for k in range(1, 4):
            phi[:, k] = phi[:, k - 1] * x
        err = phi.mv(self.theta) - t
        J = err.dot(err) / (2 * m) + 0.05 * self.theta[1:].pow(2).sum()
        grad = phi.T.mv(err) / m
        del phi, err
        grad[1:] += 0.1 * self.theta[1:]
        self.theta.grad = grad
        return J
        """,
    ),
    program(
        "logistic regression",
        LOGISTIC,
        """
        sigmoid = lambda a: 1 / (1 + torch.exp(-a))
        N = X.shape[0]
        z = X @ self.w + self.b
        loss = (z.clamp(min=0) - z * y + torch.log1p(torch.exp(-z.abs()))).sum() / N
        loss = loss + 0.01 * torch.sum(self.w ** 2)
        dz = (sigmoid(z) - y) / N
        del z
        self.w.grad = dz @ X + 0.02 * self.w
        self.b.grad = dz.sum()
        return loss
        """,
    ),
    program(
        "gaussian nll with two heads",
        GAUSSIAN,
        """
        n = x.size(0)
        h = torch.tanh(x.mm(self.w))
        diff = h.mv(self.u) - y
        logvar = h.mv(self.v) + self.c
        prec = torch.exp(-logvar)
        scaled = diff * prec
        del prec
        sq = diff * scaled
        del diff
        nll = 0.5 * (logvar + sq).sum() / n
        del logvar
        g_mu = scaled / n
        del scaled
        g_logvar = 0.5 * (1 - sq) / n
        del sq
        self.u.grad = h.t().mv(g_mu)
        self.v.grad = h.t().mv(g_logvar)
        self.c.grad = g_logvar.sum()
        g_h = torch.outer(g_mu, self.u) + torch.outer(g_logvar, self.v)
        del g_mu, g_logvar
        g_pre = g_h * (1 - h.pow(2))
        del g_h, h
        self.w.grad = x.t().mm(g_pre)
        return nll
        """,
    ),
    program(
        "smooth l1 behind leaky relu",
        SMOOTH,
        """
        a = torch.addmm(self.b1, x, self.w1)
        slope = torch.ones_like(a)
        slope[a < 0] = 0.1
        h = a * slope
        del a
        r = torch.addmm(self.b2, h, self.w2) - y
        r_abs = r.abs()
        near = r_abs < 0.5
        loss = torch.where(near, r * r, r_abs - 0.25).mean()
        del r_abs
        gr = torch.where(near, 2 * r, r.sign()) / r.numel()
        del r, near
        self.b2.grad = gr.sum(0)
        self.w2.grad = torch.mm(h.t(), gr)
        del h
        ga = torch.mm(gr, self.w2.t()) * slope
        del gr, slope
        self.b1.grad = ga.sum(0)
        self.w1.grad = torch.mm(x.t(), ga)
        return loss
        """,
    ),
    program(
        "kl from a teacher",
        KL,
        """
        N = x.shape[0]
        scores = x.matmul(self.W.t()) + self.b
        scores = scores - scores.max(dim=1, keepdim=True).values
        Z = scores.exp().sum(dim=1, keepdim=True)
        logp = scores - Z.log()
        e = teacher.exp()
        q = e / e.sum(dim=1, keepdim=True)
        del e
        kl = (q * (q.log() - logp)).sum() / N
        del logp
        dscores = (scores.exp() / Z - q) / N
        del scores, Z, q
        dW = dscores.t().matmul(x)
        db = dscores.sum(dim=0)
        self.W.grad, self.b.grad = dW, db
        return kl
        """,
    ),
    program(
        "smoothed target by scatter",
        SMOOTHED,
        """
        hid = torch.tanh(inputs @ self.fc1.T)
        logits = hid @ self.fc2.T + self.bias
        n, c = logits.shape
        target = torch.full_like(logits, 0.1 / c)
        target.scatter_(1, y.unsqueeze(1), 0.9 + 0.1 / c)
        logp = logits - torch.logsumexp(logits, dim=1, keepdim=True)
        loss = -(target * logp).sum(1).mean()
        dlogits = logp.exp().sub(target).div(n)
        self.bias.grad = dlogits.sum(dim=0)
        self.fc2.grad = dlogits.T @ hid
        dhid = dlogits @ self.fc2
        dhid *= 1 - hid ** 2
        self.fc1.grad = dhid.T @ inputs
        return loss
        """,
    ),
    program(
        "squared margins by gather",
        MARGIN,
        """
        scores = X.mm(self.W)
        n, c = scores.shape
        label = y.view(-1, 1)
        margins = (scores - scores.gather(1, label) + 1).clamp(min=0)
        del scores
        margins.scatter_(1, label, 0)
        loss = margins.pow(2).sum() / (n * c) + 0.05 * torch.sum(self.W * self.W)
        dscores = 2 * margins
        del margins
        dscores[torch.arange(n), y] -= dscores.sum(dim=1)
        dW = X.t().mm(dscores)
        del dscores
        dW /= n * c
        dW += 0.1 * self.W
        self.W.grad = dW
        return loss
        """,
    ),
    program(
        "binary svm, a sample at a time",
        BINARY_SVM,
        """
        n = len(X)
        hinge = 0.
        dw = torch.zeros_like(self.w)
        db = torch.zeros_like(self.b)
        for i in range(n):
            label = y[i].sign()
            margin = 1 - label * (torch.dot(X[i], self.w) + self.b)
            violated = (margin > 0).to(X.dtype)
            hinge = hinge + margin * violated
            dw -= violated * label * X[i]
            db -= violated * label
        loss = hinge / n + 0.05 * torch.dot(self.w, self.w)
        self.w.grad = dw / n + 2 * 0.05 * self.w
        self.b.grad = db / n
        return loss
        """,
    ),
)
