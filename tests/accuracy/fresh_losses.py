"""Right passes on losses, as others than the search's author write them."""

from tensor_programs import program

HUBER = """
def v1(
    x: Float[Tensor, "n d"], target: Float[Tensor, "n k"], *,
    w1: Float[Tensor, "d h"], w2: Float[Tensor, "h k"],
):
    return F.huber_loss(torch.sigmoid(x @ w1) @ w2, target, delta=0.5)
"""
DISTILLATION = """
def v1(
    x: Float[Tensor, "n d"], teacher: Float[Tensor, "n c"], *,
    w: Float[Tensor, "d c"], b: Float[Tensor, "c"],
):
    student = F.log_softmax((x @ w + b) / 2.0, dim=1)
    return F.kl_div(student, F.softmax(teacher / 2.0, dim=1), reduction="batchmean") * 4.0
"""
POS_WEIGHT = """
RANGES = {"labels": ((0, 1),)}
def v1(
    feats: Float[Tensor, "n d"], labels: Float[Tensor, "n"], *,
    theta: Float[Tensor, "d"], bias: Float[Tensor, ""],
):
    weight = torch.full((), 3.0, dtype=feats.dtype)
    return F.binary_cross_entropy_with_logits(feats @ theta + bias, labels, pos_weight=weight)
"""
RIDGE = """
def v1(
    X: Float[Tensor, "m d"], y: Float[Tensor, "m 1"], *,
    theta: Float[Tensor, "d 1"], b: Float[Tensor, "1 1"],
):
    return ((X @ theta + b - y) ** 2).sum() / (2 * X.shape[0]) + 0.3 / 2 * (theta ** 2).sum()
"""
LOG_SOFTMAX = """
BELOW = {"labels": "q"}
def v1(
    X: Float[Tensor, "n d"], labels: Int[Tensor, "n"], *,
    W1: Float[Tensor, "d h"], W2: Float[Tensor, "h q"], b2: Float[Tensor, "q"],
):
    return F.nll_loss(F.log_softmax(F.softplus(X @ W1) @ W2 + b2, dim=1), labels)
"""
SMOOTHED = """
BELOW = {"t": "k"}
def v1(x: Float[Tensor, "n d"], t: Int[Tensor, "n"], *, w: Float[Tensor, "k d"]):
    return F.cross_entropy(F.linear(x, w), t, label_smoothing=0.2)
"""
LOSSES = (
    program(
        "huber",
        HUBER,
        """
        delta = 0.5
        hidden = torch.sigmoid(torch.mm(x, self.w1))
        pred = torch.mm(hidden, self.w2)
        err = pred - target
        small = err.abs() <= delta
        quad = 0.5 * err ** 2
        lin = delta * (err.abs() - 0.5 * delta)
        loss = torch.where(small, quad, lin).mean()
        d_err = torch.where(small, err, delta * torch.sign(err)) / err.numel()
        self.w2.grad = torch.mm(hidden.t(), d_err)
        d_hidden = torch.mm(d_err, self.w2.t())
        self.w1.grad = torch.mm(x.t(), d_hidden * hidden * (1 - hidden))
        return loss
        """,
    ),
    program(
        "distillation",
        DISTILLATION,
        """
        T = 2.0
        batch = x.size(0)
        logits = x @ self.w + self.b
        log_q = F.log_softmax(logits / T, dim=-1)
        p = F.softmax(teacher / T, dim=-1)
        loss = T * T * (p * (torch.log(p) - log_q)).sum() / batch
        grad_logits = T * (log_q.exp() - p) / batch
        self.w.grad = x.transpose(0, 1) @ grad_logits
        self.b.grad = grad_logits.sum(dim=0)
        return loss
        """,
    ),
    program(
        "positive weight",
        POS_WEIGHT,
        """
        pos_weight = 3.0
        logits = feats @ self.theta + self.bias
        prob = 1 / (1 + torch.exp(-logits))
        pos = pos_weight * labels * torch.log(prob)
        neg = (1 - labels) * torch.log(1 - prob)
        loss = -torch.mean(pos + neg)
        dlogits = prob * (1 - labels) - pos_weight * labels * (1 - prob)
        dlogits = dlogits / len(labels)
        self.theta.grad = feats.T @ dlogits
        self.bias.grad = dlogits.sum()
        return loss
        """,
    ),
    program(
        "ridge",
        RIDGE,
        """
        m = X.size(0)
        lam = 0.3
        h = X @ self.theta + self.b
        error = h - y
        J = 1 / (2 * m) * torch.sum(error ** 2) + lam / 2 * torch.sum(self.theta ** 2)
        grad = 1 / m * (X.T @ error) + lam * self.theta
        self.theta.grad = grad
        self.b.grad = error.mean(0, keepdim=True)
        return J
        """,
    ),
    program(
        "log softmax and nll",
        LOG_SOFTMAX,
        """
        n = len(X)
        u = X @ self.W1
        h = torch.log1p(torch.exp(u))
        o = h @ self.W2 + self.b2
        logp = o - torch.logsumexp(o, dim=1, keepdim=True)
        loss = -logp.gather(1, labels.unsqueeze(1)).mean()
        dlogp = torch.zeros_like(logp).scatter_(1, labels.unsqueeze(1), -1.0 / n)
        do = dlogp - torch.exp(logp) * dlogp.sum(dim=1, keepdim=True)
        self.W2.grad = torch.matmul(h.T, do)
        self.b2.grad = torch.sum(do, dim=0)
        du = torch.matmul(do, self.W2.T) * torch.sigmoid(u)
        self.W1.grad = torch.matmul(X.T, du)
        return loss
        """,
    ),
    program(
        "smoothed labels",
        SMOOTHED,
        """
        eps = 0.2
        B, K = x.shape[0], self.w.shape[0]
        logits = x @ self.w.T
        onehot = F.one_hot(t, num_classes=K)
        soft = onehot * (1 - eps) + eps / K
        logprobs = logits.log_softmax(dim=1)
        loss = -(soft * logprobs).sum(dim=1).mean()
        dlogits = (logprobs.exp() - soft) / B
        self.w.grad = dlogits.T @ x
        return loss
        """,
    ),
)
