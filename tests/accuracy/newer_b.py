"""Right passes on tensors by a third author who has not seen the search: nets, gates and what joins
layers."""

from tensor_programs import program

THREE = """
BELOW = {"y": "c"}
def v1(
    X: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    W1: Float[Tensor, "d h"], b1: Float[Tensor, "h"], W2: Float[Tensor, "h m"],
    b2: Float[Tensor, "m"], W3: Float[Tensor, "m c"], b3: Float[Tensor, "c"],
):
    h1 = F.leaky_relu(X @ W1 + b1, 0.1)
    h2 = F.leaky_relu(h1 @ W2 + b2, 0.1)
    reg = (W1 ** 2).sum() + (W2 ** 2).sum() + (W3 ** 2).sum()
    return F.cross_entropy(h2 @ W3 + b3, y) + 0.01 * reg
"""
SIREN = """
RANGES = {"x": ((-1, 1), (-0.3, 0.3))}
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n"], *,
    w1: Float[Tensor, "d h"], b1: Float[Tensor, "h"], w2: Float[Tensor, "h h"],
    w3: Float[Tensor, "h"],
):
    return ((torch.sin(torch.sin(3 * (x @ w1) + b1) @ w2) @ w3 - y) ** 2).mean()
"""
FILM = """
def v1(
    x: Float[Tensor, "n d"], cond: Float[Tensor, "n k"], y: Float[Tensor, "n h"], *,
    W: Float[Tensor, "d h"], G: Float[Tensor, "k h"], B: Float[Tensor, "k h"],
):
    return ((torch.relu((1 + cond @ G) * (x @ W) + cond @ B) - y) ** 2).sum(1).mean()
"""
DENSE = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n k"], *,
    w1: Float[Tensor, "d h"], w2: Float[Tensor, "d+h h"], w3: Float[Tensor, "d+2*h k"],
):
    a = torch.cat([x, torch.relu(x @ w1)], 1)
    b = torch.cat([a, torch.relu(a @ w2)], 1)
    return ((b @ w3 - y) ** 2).mean()
"""
REZERO = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n d"], *,
    W1: Float[Tensor, "d d"], W2: Float[Tensor, "d d"], alpha: Float[Tensor, "2"],
):
    h = x + alpha[0] * torch.tanh(x @ W1)
    h = h + alpha[1] * torch.tanh(h @ W2)
    return ((h - y) ** 2).sum() / (2 * x.shape[0])
"""
GEGLU = """
def v1(
    x: Float[Tensor, "n d"], t: Float[Tensor, "n d"], *,
    wg: Float[Tensor, "d h"], wu: Float[Tensor, "d h"], wd: Float[Tensor, "h d"],
):
    return F.mse_loss(x + (F.gelu(x @ wg) * (x @ wu)) @ wd, t)
"""
MIXER = """
def v1(
    x: Float[Tensor, "n t c"], y: Float[Tensor, "n t c"], *,
    u1: Float[Tensor, "t s"], u2: Float[Tensor, "s t"], v1: Float[Tensor, "c c"],
):
    a = x + (torch.relu(x.transpose(1, 2) @ u1) @ u2).transpose(1, 2)
    return ((a + torch.tanh(a @ v1) - y) ** 2).mean()
"""
CROSS = """
def v1(
    x0: Float[Tensor, "n d"], y: Float[Tensor, "n"], *,
    w: Float[Tensor, "2 d"], b: Float[Tensor, "2 d"], v: Float[Tensor, "d"],
):
    x1 = x0 * (x0 @ w[0])[:, None] + b[0] + x0
    x2 = x0 * (x1 @ w[1])[:, None] + b[1] + x1
    return ((x2 @ v - y) ** 2).mean()
"""
HYPER = """
def v1(
    z: Float[Tensor, "n k"], x: Float[Tensor, "n d"], y: Float[Tensor, "n o"], *,
    H: Float[Tensor, "k d o"], Hb: Float[Tensor, "k o"],
):
    w = torch.einsum("nk,kdo->ndo", torch.tanh(z), H)
    return ((torch.einsum("nd,ndo->no", x, w) + torch.tanh(z) @ Hb - y) ** 2).mean()
"""
TWO_TASKS = """
BELOW = {"y": "c"}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], t: Float[Tensor, "n"], *,
    W: Float[Tensor, "h d"], Wc: Float[Tensor, "c h"], wr: Float[Tensor, "h"],
    s: Float[Tensor, "2"],
):
    h = F.softplus(F.linear(x, W))
    ce = F.cross_entropy(F.linear(h, Wc), y)
    mse = F.mse_loss(h @ wr, t)
    return torch.exp(-s[0]) * ce + torch.exp(-s[1]) * mse + s.sum()
"""
NETS = (
    program(
        "three leaky layers and a dict of gradients",
        THREE,
        """
        N = X.shape[0]
        reg = 0.01
        z1 = X @ self.W1 + self.b1
        h1 = torch.where(z1 > 0, z1, 0.1 * z1)
        z2 = h1 @ self.W2 + self.b2
        h2 = torch.where(z2 > 0, z2, 0.1 * z2)
        scores = h2 @ self.W3 + self.b3
        scores = scores - scores.max(dim=1, keepdim=True).values
        exp_scores = torch.exp(scores)
        probs = exp_scores / exp_scores.sum(dim=1, keepdim=True)
        loss = -torch.log(probs[range(N), y]).sum() / N
        for W in (self.W1, self.W2, self.W3):
            loss = loss + reg * (W * W).sum()
        grads = {}
        dscores = probs.clone()
        dscores[range(N), y] -= 1
        dscores /= N
        grads["W3"] = h2.T @ dscores + 2 * reg * self.W3
        grads["b3"] = dscores.sum(dim=0)
        dz2 = (dscores @ self.W3.T) * torch.where(z2 > 0, 1.0, 0.1)
        grads["W2"] = h1.T @ dz2 + 2 * reg * self.W2
        grads["b2"] = dz2.sum(dim=0)
        dz1 = (dz2 @ self.W2.T) * torch.where(z1 > 0, 1.0, 0.1)
        grads["W1"] = X.T @ dz1 + 2 * reg * self.W1
        grads["b1"] = dz1.sum(dim=0)
        self.W1.grad, self.b1.grad = grads["W1"], grads["b1"]
        self.W2.grad, self.b2.grad = grads["W2"], grads["b2"]
        self.W3.grad, self.b3.grad = grads["W3"], grads["b3"]
        return loss
    """,
    ),
    program(
        "layers of sines",
        SIREN,
        """
        omega = 3
        lin1 = torch.mm(x, self.w1)
        arg1 = omega * lin1 + self.b1
        h1 = arg1.sin()
        arg2 = torch.mm(h1, self.w2)
        h2 = arg2.sin()
        pred = torch.mv(h2, self.w3)
        err = pred - y
        loss = torch.mean(err * err)
        delta3 = 2 * err / err.shape[0]
        del err
        self.w3.grad = torch.mv(h2.t(), delta3)
        del h2
        delta2 = torch.outer(delta3, self.w3) * arg2.cos()
        del arg2, delta3
        self.w2.grad = torch.mm(h1.t(), delta2)
        del h1
        delta1 = torch.mm(delta2, self.w2.t()) * arg1.cos()
        del arg1, delta2
        self.b1.grad = delta1.sum(0)
        self.w1.grad = omega * torch.mm(x.t(), delta1)
        return loss
    """,
    ),
    program(
        "film",
        FILM,
        """
        feat = x @ self.W
        gamma = 1 + cond @ self.G
        beta = cond @ self.B
        mod = gamma * feat + beta
        out = F.relu(mod)
        diff = out - y
        loss = diff.square().sum(1).mean()
        d_out = 2 * diff / len(x)
        d_mod = d_out.masked_fill(mod <= 0, 0.0)
        d_gamma = d_mod * feat
        d_feat = d_mod * gamma
        d_beta = d_mod
        self.G.grad = cond.T @ d_gamma
        self.B.grad = cond.T @ d_beta
        self.W.grad = x.T @ d_feat
        return loss
    """,
    ),
    program(
        "densely connected",
        DENSE,
        """
        d, h = self.w1.shape
        z1 = x @ self.w1
        h1 = torch.relu(z1)
        c1 = torch.cat([x, h1], dim=1)
        z2 = c1 @ self.w2
        h2 = torch.relu(z2)
        c2 = torch.cat([c1, h2], dim=1)
        out = c2 @ self.w3
        loss = ((out - y) ** 2).mean()
        dout = 2.0 * (out - y) / out.numel()
        self.w3.grad = c2.T @ dout
        dc2 = dout @ self.w3.T
        dc1 = dc2[:, : d + h]
        dh2 = dc2[:, d + h :]
        dz2 = dh2 * (z2 > 0)
        self.w2.grad = c1.T @ dz2
        dc1 = dc1 + dz2 @ self.w2.T
        dh1 = dc1[:, d:]
        dz1 = dh1 * (z1 > 0)
        self.w1.grad = x.T @ dz1
        return loss
    """,
    ),
    program(
        "blocks behind scalars",
        REZERO,
        """
        n = x.shape[0]
        hs, ts = [x], []
        for k, W in enumerate([self.W1, self.W2]):
            t = torch.tanh(hs[-1] @ W)
            ts.append(t)
            hs.append(hs[-1] + self.alpha[k] * t)
        off = hs[2] - y
        loss = (off ** 2).sum() / (2 * n)
        dh = off / n
        dalpha = torch.zeros_like(self.alpha)
        for k, W in reversed(list(enumerate([self.W1, self.W2]))):
            dalpha[k] = (dh * ts[k]).sum()
            da = self.alpha[k] * dh * (1 - ts[k] ** 2)
            W.grad = hs[k].T @ da
            dh = dh + da @ W.T
        self.alpha.grad = dalpha
        return loss
    """,
    ),
    program(
        "geglu with erf",
        GEGLU,
        """
        a = x @ self.wg
        u = x @ self.wu
        cdf = 0.5 * (1 + torch.erf(a / math.sqrt(2)))
        g = a * cdf
        hidden = g * u
        out = x + hidden @ self.wd
        residual = out - t
        loss = residual.pow(2).mean()
        grad_out = residual * (2 / residual.numel())
        self.wd.grad = hidden.transpose(0, 1) @ grad_out
        grad_hidden = grad_out @ self.wd.transpose(0, 1)
        grad_u = grad_hidden * g
        grad_g = grad_hidden * u
        pdf = torch.exp(-0.5 * a ** 2) / math.sqrt(2 * math.pi)
        grad_a = grad_g * (cdf + a * pdf)
        self.wu.grad = x.transpose(0, 1) @ grad_u
        self.wg.grad = x.transpose(0, 1) @ grad_a
        return loss
    """,
    ),
    program(
        "mixer of tokens and channels",
        MIXER,
        """
        xt = x.permute(0, 2, 1)
        z = xt @ self.u1
        r = z * (z > 0)
        mixed = (r @ self.u2).permute(0, 2, 1)
        a = x + mixed
        th = torch.tanh(a @ self.v1)
        out = a + th
        loss = (out - y).pow(2).mean()
        dout = 2 * (out - y) / y.numel()
        dth = dout * (1 - th ** 2)
        self.v1.grad = torch.einsum("ntc,nte->ce", a, dth)
        da = dout + dth @ self.v1.T
        dmix = da.permute(0, 2, 1)
        self.u2.grad = torch.einsum("ncs,nct->st", r, dmix)
        dr = dmix @ self.u2.T
        dz = dr * (z > 0)
        self.u1.grad = torch.einsum("nct,ncs->ts", xt, dz)
        return loss
    """,
    ),
    program(
        "cross layers",
        CROSS,
        """
        n = x0.shape[0]
        xs = [x0]
        dots = []
        for l in range(2):
            dot = xs[l] @ self.w[l]
            dots.append(dot)
            xs.append(x0 * dot.unsqueeze(1) + self.b[l] + xs[l])
        pred = xs[2] @ self.v
        loss = ((pred - y) ** 2).mean()
        dpred = 2 * (pred - y) / n
        self.v.grad = xs[2].T @ dpred
        dx = dpred.unsqueeze(1) * self.v
        dw, db = torch.zeros_like(self.w), torch.zeros_like(self.b)
        for l in (1, 0):
            db[l] += dx.sum(0)
            ddot = (dx * x0).sum(1)
            dw[l] += xs[l].T @ ddot
            dx = dx + ddot.unsqueeze(1) * self.w[l]
        self.w.grad = dw
        self.b.grad = db
        return loss
    """,
    ),
    program(
        "net that writes the weights",
        HYPER,
        """
        tz = z.tanh()
        W = torch.einsum("nk,kdo->ndo", tz, self.H)
        bias = tz @ self.Hb
        out = torch.bmm(x[:, None, :], W)[:, 0, :] + bias
        e = out - y
        loss = (e * e).mean()
        W = bias = out = None
        dout = 2 * e / e.numel()
        e = None
        dW = x[:, :, None] * dout[:, None, :]
        self.Hb.grad = tz.T @ dout
        self.H.grad = torch.einsum("nk,ndo->kdo", tz, dW)
        return loss
    """,
    ),
    program(
        "two tasks with learned weights",
        TWO_TASKS,
        """
        n = x.shape[0]
        pre = x @ self.W.T
        h = torch.log(1 + torch.exp(pre))
        logits = h @ self.Wc.T
        logp = logits - torch.logsumexp(logits, dim=1, keepdim=True)
        ce = -logp.gather(1, y.view(-1, 1)).mean()
        r = h @ self.wr - t
        mse = (r ** 2).mean()
        k = torch.exp(-self.s)
        loss = k[0] * ce + k[1] * mse + self.s.sum()
        dce, dmse = k[0], k[1]
        ds = torch.ones(2)
        ds[0] -= k[0] * ce
        ds[1] -= k[1] * mse
        self.s.grad = ds
        dlogits = dce * (logp.exp() - F.one_hot(y, logits.shape[1])) / n
        dr = dmse * 2 * r / n
        self.Wc.grad = dlogits.T @ h
        self.wr.grad = dr @ h
        dh = dlogits @ self.Wc + torch.outer(dr, self.wr)
        dpre = dh * torch.sigmoid(pre)
        self.W.grad = dpre.T @ x
        return loss
    """,
    ),
)
