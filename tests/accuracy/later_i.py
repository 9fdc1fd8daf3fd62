"""Right passes on tensors by an author who has not seen the search: the habits of students, as
lists of layers, functions of their own and Jacobians written out."""

from tensor_programs import program

DEEP = """
BELOW = {"y": "c"}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    W1: Float[Tensor, "d h"], b1: Float[Tensor, "h"], W2: Float[Tensor, "h k"],
    b2: Float[Tensor, "k"], W3: Float[Tensor, "k c"], b3: Float[Tensor, "c"],
):
    h = torch.tanh(torch.tanh(x @ W1 + b1) @ W2 + b2)
    return F.cross_entropy(h @ W3 + b3, y)
"""
SIGMOIDS = """
def v1(
    X: Float[Tensor, "d n"], Y: Float[Tensor, "k n"], *,
    W1: Float[Tensor, "h d"], b1: Float[Tensor, "h 1"],
    W2: Float[Tensor, "k h"], b2: Float[Tensor, "k 1"],
):
    A2 = torch.sigmoid(W2 @ torch.sigmoid(W1 @ X + b1) + b2)
    return ((A2 - Y) ** 2).sum() / (2 * X.shape[1])
"""
JACOBIAN = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n c"], *,
    W: Float[Tensor, "c d"], b: Float[Tensor, "c"],
):
    return ((torch.softmax(x @ W.T + b, dim=1) - y) ** 2).sum(1).mean()
"""
BILINEAR = """
def v1(
    a: Float[Tensor, "n d"], b: Float[Tensor, "n e"], y: Float[Tensor, "n"], *,
    M: Float[Tensor, "k d e"], u: Float[Tensor, "k"],
):
    f = torch.einsum("nd,kde,ne->nk", a, M, b)
    return F.soft_margin_loss(torch.tanh(f) @ u, torch.sign(y))
"""
ENERGY = """
def v1(
    v: Float[Tensor, "n d"], w: Float[Tensor, "n d"], *,
    W: Float[Tensor, "d h"], a: Float[Tensor, "d"], b: Float[Tensor, "h"],
):
    free_v = -(v @ a) - F.softplus(v @ W + b).sum(1)
    free_w = -(w @ a) - F.softplus(w @ W + b).sum(1)
    return (free_v - free_w).mean() + 0.05 * W.abs().sum()
"""
ADVERSARIAL = """
def v1(
    real: Float[Tensor, "n d"], z: Float[Tensor, "n k"], *,
    G: Float[Tensor, "k d"], D: Float[Tensor, "d h"], o: Float[Tensor, "h"],
):
    fake = torch.tanh(z @ G)
    r, f = F.leaky_relu(real @ D, 0.2) @ o, F.leaky_relu(fake @ D, 0.2) @ o
    return (F.softplus(-r) + F.softplus(f)).mean()
"""
SUBSPACE = """
def v1(x: Float[Tensor, "n d"], *, W: Float[Tensor, "d k"], mu: Float[Tensor, "d"]):
    c = x - mu
    off = W.T @ W - torch.eye(W.shape[1], dtype=x.dtype)
    return ((c - c @ W @ W.T) ** 2).sum() / x.shape[0] + 0.3 * (off ** 2).sum()
"""
SPARSE = """
def v1(
    x: Float[Tensor, "n d"], *,
    We: Float[Tensor, "d h"], be: Float[Tensor, "h"], Wd: Float[Tensor, "h d"],
):
    h = torch.sigmoid(x @ We + be)
    rho = h.mean(0)
    kl = 0.1 * torch.log(0.1 / rho) + 0.9 * torch.log(0.9 / (1 - rho))
    return 0.5 * ((h @ Wd - x) ** 2).sum(1).mean() + 0.4 * kl.sum()
"""

HABITS = (
    program(
        "list of layers",
        DEEP,
        """
        Ws = [self.W1, self.W2, self.W3]
        bs = [self.b1, self.b2, self.b3]
        n = x.shape[0]
        acts = [x]
        for l in range(2):
            acts.append(torch.tanh(acts[l] @ Ws[l] + bs[l]))
        logits = acts[2] @ Ws[2] + bs[2]
        logp = logits - logits.logsumexp(dim=1, keepdim=True)
        loss = -logp[torch.arange(n), y].mean()
        delta = logp.exp()
        delta[torch.arange(n), y] -= 1
        delta = delta / n
        grads_W, grads_b = [], []
        for l in (2, 1, 0):
            grads_W.insert(0, acts[l].T @ delta)
            grads_b.insert(0, delta.sum(0))
            if l > 0:
                delta = (delta @ Ws[l].T) * (1 - acts[l] ** 2)
        for param, g in zip(Ws + bs, grads_W + grads_b):
            param.grad = g
        return loss
        """,
    ),
    program(
        "columns are samples",
        SIGMOIDS,
        """
        def sigmoid(t):
            return 1 / (1 + torch.exp(-t))

        def sigmoid_prime(t):
            return sigmoid(t) * (1 - sigmoid(t))

        m = X.shape[1]
        Z1 = self.W1 @ X + self.b1
        A1 = sigmoid(Z1)
        Z2 = self.W2 @ A1 + self.b2
        A2 = sigmoid(Z2)
        cost = torch.sum((A2 - Y) ** 2) / (2 * m)
        dZ2 = (A2 - Y) * sigmoid_prime(Z2)
        dW2 = 1 / m * dZ2 @ A1.T
        db2 = 1 / m * torch.sum(dZ2, dim=1, keepdim=True)
        dZ1 = (self.W2.T @ dZ2) * sigmoid_prime(Z1)
        dW1 = 1 / m * dZ1 @ X.T
        db1 = 1 / m * torch.sum(dZ1, dim=1, keepdim=True)
        self.W1.grad, self.b1.grad = dW1, db1
        self.W2.grad, self.b2.grad = dW2, db2
        return cost
        """,
    ),
    program(
        "jacobians of softmax",
        JACOBIAN,
        """
        n = x.shape[0]
        loss = 0
        self.W.grad = torch.zeros_like(self.W)
        self.b.grad = torch.zeros_like(self.b)
        for i in range(n):
            z = self.W @ x[i] + self.b
            e = torch.exp(z - z.max())
            p = e / e.sum()
            r = p - y[i]
            loss = loss + r @ r / n
            J = torch.diag(p) - torch.outer(p, p)
            dp = 2 * r / n
            dz = J @ dp
            self.W.grad += torch.outer(dz, x[i])
            self.b.grad += dz
        return loss
        """,
    ),
    program(
        "bilinear scores",
        BILINEAR,
        """
        with torch.no_grad():
            n = a.size(0)
            sign = torch.sign(y)
            aM = torch.tensordot(a, self.M, dims=([1], [1]))
            f = (aM * b[:, None, :]).sum(2)
            t = torch.tanh(f)
            score = t.mv(self.u)
            margin = sign * score
            loss = torch.log1p(torch.exp(-margin)).mean()
            dmargin = -1 / (1 + torch.exp(margin)) / n
            dscore = dmargin * sign
            self.u.grad = t.t().mv(dscore)
            dt = torch.ger(dscore, self.u)
            df = dt * (1 - t.pow(2))
            dM = torch.zeros_like(self.M)
            for i in range(n):
                ab = torch.outer(a[i], b[i])
                dM += df[i].view(-1, 1, 1) * ab
            self.M.grad = dM
        return loss
        """,
    ),
    program(
        "free energies",
        ENERGY,
        """
        n = v.shape[0]
        pv = v @ self.W + self.b
        pw = w @ self.W + self.b
        sv = torch.logaddexp(pv, torch.zeros_like(pv)).sum(1)
        sw = torch.logaddexp(pw, torch.zeros_like(pw)).sum(1)
        Fv = -(v @ self.a + sv)
        Fw = -(w @ self.a + sw)
        loss = Fv.mean() - Fw.mean()
        del sv, sw, Fv, Fw
        loss = loss + 0.05 * self.W.abs().sum()
        hv, hw = torch.sigmoid(pv), torch.sigmoid(pw)
        positive = v.T @ hv
        negative = w.T @ hw
        gW = (negative - positive) / n
        del pv, pw, positive, negative
        gW += 0.05 * self.W.sign()
        self.W.grad = gW
        self.a.grad = (w - v).mean(0)
        self.b.grad = (hw - hv).sum(0) / n
        return loss
        """,
    ),
    program(
        "generator and critic",
        ADVERSARIAL,
        """
        n = real.shape[0]
        fake = torch.tanh(z @ self.G)
        zr, zf = real @ self.D, fake @ self.D
        hr = torch.max(zr, 0.2 * zr)
        hf = torch.max(zf, 0.2 * zf)
        r, f = hr @ self.o, hf @ self.o
        loss = (F.softplus(-r) + F.softplus(f)).mean()
        dr = (torch.sigmoid(r) - 1) / n
        del r
        df = torch.sigmoid(f) / n
        del f
        self.o.grad = hr.T @ dr + hf.T @ df
        del hf, hr
        dhr = torch.outer(dr, self.o)
        del dr
        dhf = torch.outer(df, self.o)
        del df
        dzr = torch.where(zr > 0, dhr, 0.2 * dhr)
        del zr, dhr
        dzf = torch.where(zf > 0, dhf, 0.2 * dhf)
        del zf, dhf
        self.D.grad = torch.addmm(real.T @ dzr, fake.T, dzf)
        del dzr
        dfake = dzf @ self.D.T
        del dzf
        dgen = dfake * (1 - fake.square())
        del dfake, fake
        self.G.grad = torch.mm(z.T, dgen)
        return loss
        """,
    ),
    program(
        "subspace",
        SUBSPACE,
        """
        n = x.shape[0]
        centered = x - self.mu
        code = centered @ self.W
        R = centered - code @ self.W.T
        gram = self.W.T @ self.W
        E = gram - torch.eye(gram.shape[0])
        loss = R.pow(2).sum() / n + 0.3 * E.pow(2).sum()
        dR = 2 / n * R
        dcode = -dR @ self.W
        dW = -dR.T @ code
        dW = dW + centered.T @ dcode
        dE = 0.6 * E
        dW = dW + self.W @ dE
        dW = dW + self.W @ dE.T
        dcentered = dR + dcode @ self.W.T
        self.W.grad = dW
        self.mu.grad = -dcentered.sum(0)
        return loss
        """,
    ),
    program(
        "sparse autoencoder",
        SPARSE,
        """
        target, beta = 0.1, 0.4
        N = x.shape[0]
        hidden = torch.sigmoid(x @ self.We + self.be)
        xhat = hidden @ self.Wd
        rho = hidden.sum(0) / N
        kl = target * torch.log(target / rho)
        kl = kl + (1 - target) * torch.log((1 - target) / (1 - rho))
        delta = xhat - x
        xhat = None
        cost = 0.5 * delta.pow(2).sum() / N + beta * kl.sum()
        kl = None
        g_xhat = delta / N
        delta = None
        g_Wd = hidden.T @ g_xhat
        g_hidden = g_xhat @ self.Wd.T
        g_xhat = None
        g_rho = beta * ((1 - target) / (1 - rho) - target / rho)
        target = beta = rho = None
        g_hidden = g_hidden + g_rho / N
        g_rho = None
        g_pre = g_hidden * hidden * (1 - hidden)
        g_hidden = hidden = None
        self.We.grad = x.T @ g_pre
        self.be.grad = g_pre.sum(0)
        g_pre = None
        self.Wd.grad = g_Wd
        return cost
        """,
    ),
)
