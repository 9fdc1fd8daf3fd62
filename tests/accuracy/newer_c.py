"""Right passes on tensors by a third author who has not seen the search: normalizations, and what
sets the scale of a layer."""

from tensor_programs import program

LAYER = """
def v1(
    x: Float[Tensor, "b t d"], y: Float[Tensor, "b t d"], *,
    g: Float[Tensor, "d"], s: Float[Tensor, "d"], W: Float[Tensor, "d d"],
):
    return ((F.layer_norm(x @ W, (x.shape[2],), g, s, 0.1) - y) ** 2).mean()
"""
BATCH = """
BELOW = {"y": "c"}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    w1: Float[Tensor, "d h"], gamma: Float[Tensor, "h"], beta: Float[Tensor, "h"],
    w2: Float[Tensor, "h c"],
):
    z = x @ w1
    out = gamma * (z - z.mean(0)) / torch.sqrt(z.var(0, unbiased=False) + 0.2) + beta
    return F.cross_entropy(torch.relu(out) @ w2, y)
"""
INSTANCE = """
def v1(
    x: Float[Tensor, "n c h w"], y: Float[Tensor, "n k h w"], *,
    W: Float[Tensor, "k c"], gain: Float[Tensor, "k"], shift: Float[Tensor, "k"],
):
    z = torch.einsum("kc,nchw->nkhw", W, x)
    m = z.mean((2, 3), keepdim=True)
    v = ((z - m) ** 2).mean((2, 3), keepdim=True)
    out = gain[:, None, None] * (z - m) / torch.sqrt(v + 0.1) + shift[:, None, None]
    return ((out - y) ** 2).sum() / x.shape[0]
"""
QK = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n d"], *,
    Wq: Float[Tensor, "d k"], Wk: Float[Tensor, "d k"], Wv: Float[Tensor, "d d"],
    tau: Float[Tensor, ""],
):
    q, k = x @ Wq, x @ Wk
    q = q / torch.sqrt((q * q).sum(1, keepdim=True) + 0.1)
    k = k / torch.sqrt((k * k).sum(1, keepdim=True) + 0.1)
    return ((torch.softmax(tau * (q @ k.T), 1) @ (x @ Wv) - y) ** 2).mean()
"""
LOCAL = """
def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n 4"], *, W: Float[Tensor, "d 4"]):
    a = torch.relu(x @ W)
    sq = F.pad(a * a, (1, 1))
    s = 2 + 0.5 * (sq[:, :-2] + sq[:, 1:-1] + sq[:, 2:])
    return ((a / torch.sqrt(s) - y) ** 2).mean()
"""
SCALE = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n k"], *,
    g: Float[Tensor, ""], W: Float[Tensor, "d k"], b: Float[Tensor, "k"],
):
    z = torch.tanh(x @ W + b)
    r = torch.sqrt((z ** 2).mean(1) + 0.05)
    return ((g * z / r[:, None] - y) ** 2).sum()
"""
CONVEX = """
def v1(
    a: Float[Tensor, "n d"], y: Float[Tensor, "n k"], *,
    V: Float[Tensor, "d k"], c: Float[Tensor, "k"],
):
    return ((a @ torch.softmax(V, 0) + c - y) ** 2).sum(1).mean()
"""
STYLE = """
def v1(
    x: Float[Tensor, "n t c"], style: Float[Tensor, "n s"], y: Float[Tensor, "n t c"], *,
    A: Float[Tensor, "s c"], B: Float[Tensor, "s c"], W: Float[Tensor, "c c"],
):
    z = x @ W
    m = z.mean(1, keepdim=True)
    sd = torch.sqrt(((z - m) ** 2).mean(1, keepdim=True) + 0.1)
    return (((style @ A)[:, None] * (z - m) / sd + (style @ B)[:, None] - y) ** 2).mean()
"""
CENTRED = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n k"], *,
    W: Float[Tensor, "d k"], U: Float[Tensor, "k k"],
):
    h = x @ W
    h = h - h.mean(0)
    h = h / (h.abs().mean(0) + 0.3)
    return ((h @ U - y) ** 2).mean()
"""
NORMALIZED = (
    program(
        "layernorm of tokens in three terms",
        LAYER,
        """
        eps = 0.1
        b, t, d = x.shape
        u = x.reshape(b * t, d) @ self.W
        mean = u.mean(dim=1, keepdim=True)
        centred = u - mean
        rstd = 1 / torch.sqrt((centred ** 2).mean(dim=1, keepdim=True) + eps)
        norm = centred * rstd
        out = norm * self.g + self.s
        diff = out - y.reshape(b * t, d)
        loss = (diff ** 2).mean()
        dout = 2 * diff / diff.numel()
        dg = (dout * norm).sum(dim=0)
        ds = dout.sum(dim=0)
        dnorm = dout * self.g
        du = dnorm - dnorm.mean(dim=1, keepdim=True)
        du = du - norm * (dnorm * norm).mean(dim=1, keepdim=True)
        du = du * rstd
        self.W.grad = x.reshape(b * t, d).T @ du
        self.g.grad = dg
        self.s.grad = ds
        return loss
    """,
    ),
    program(
        "batchnorm between two layers",
        BATCH,
        """
        N, eps = x.shape[0], 0.2
        z = x @ self.w1
        mu = z.mean(dim=0)
        var = z.var(dim=0, unbiased=False)
        ivar = (var + eps) ** -0.5
        zhat = (z - mu) * ivar
        bn = self.gamma * zhat + self.beta
        a = torch.maximum(bn, torch.zeros_like(bn))
        logits = a @ self.w2
        logp = torch.log_softmax(logits, dim=1)
        loss = F.nll_loss(logp, y)

        dlogits = torch.exp(logp)
        dlogits[torch.arange(N), y] -= 1.0
        dlogits = dlogits / N
        self.w2.grad = a.T @ dlogits
        da = dlogits @ self.w2.T
        dbn = torch.where(bn > 0, da, torch.zeros_like(da))
        self.beta.grad = dbn.sum(dim=0)
        self.gamma.grad = torch.sum(dbn * zhat, dim=0)
        dzhat = dbn * self.gamma
        dvar = torch.sum(dzhat * (z - mu) * -0.5 * ivar ** 3, dim=0)
        dmu = torch.sum(dzhat * -ivar, dim=0) + dvar * torch.mean(-2.0 * (z - mu), dim=0)
        dz = dzhat * ivar + dvar * 2.0 * (z - mu) / N + dmu / N
        self.w1.grad = x.T @ dz
        return loss
    """,
    ),
    program(
        "instance norm",
        INSTANCE,
        """
        n, c, h, w = x.shape
        k = self.W.shape[0]
        area = h * w
        flat = x.reshape(n, c, area)
        z = self.W @ flat
        m = z.mean(-1, keepdim=True)
        zc = z - m
        std = torch.sqrt((zc ** 2).mean(-1, keepdim=True) + 0.1)
        zn = zc / std
        out = self.gain.view(k, 1) * zn + self.shift.view(k, 1)
        err = out - y.reshape(n, k, area)
        loss = err.pow(2).sum() / n
        g_out = 2 * err / n
        self.shift.grad = g_out.sum(dim=(0, 2))
        self.gain.grad = (g_out * zn).sum(dim=(0, 2))
        g_zn = g_out * self.gain.view(k, 1)
        g_zc = g_zn / std
        g_std = -(g_zn * zc).sum(-1, keepdim=True) / std ** 2
        g_var = g_std * 0.5 / std
        g_zc += g_var * 2 * zc / area
        g_z = g_zc - g_zc.mean(-1, keepdim=True)
        g_W = torch.zeros_like(self.W)
        for i in range(n):
            g_W += g_z[i] @ flat[i].T
        self.W.grad = g_W
        return loss
    """,
    ),
    program(
        "attention of unit queries and keys",
        QK,
        """
        Q, K, V = x @ self.Wq, x @ self.Wk, x @ self.Wv
        qn = torch.sqrt(Q.pow(2).sum(1, keepdim=True) + 0.1)
        kn = torch.sqrt(K.pow(2).sum(1, keepdim=True) + 0.1)
        q, k = Q / qn, K / kn
        sim = q @ k.T
        att = torch.softmax(self.tau * sim, dim=1)
        out = att @ V
        err = out - y
        loss = err.pow(2).mean()
        dout = 2 * err / err.numel()
        del err, out
        self.Wv.grad = x.T @ (att.T @ dout)
        datt = dout @ V.T
        del dout, V
        dlogit = att * (datt - (datt * att).sum(1, keepdim=True))
        del datt, att
        self.tau.grad = (dlogit * sim).sum()
        dsim = self.tau * dlogit
        del dlogit, sim
        dq = dsim @ k
        dk = dsim.T @ q
        del dsim
        dQ = (dq - q * (dq * q).sum(1, keepdim=True)) / qn
        del dq, q, qn, Q
        dK = (dk - k * (dk * k).sum(1, keepdim=True)) / kn
        del dk, k, kn, K
        self.Wq.grad = x.T @ dQ
        self.Wk.grad = x.T @ dK
        return loss
    """,
    ),
    program(
        "local response",
        LOCAL,
        """
        n, m = y.shape
        z = x @ self.W
        a = F.relu(z)
        s = torch.full_like(a, 2.0)
        for j in range(m):
            for i in range(max(0, j - 1), min(m, j + 2)):
                s[:, j] += 0.5 * a[:, i] ** 2
        root = torch.sqrt(s)
        out = a / root
        off = out - y
        loss = torch.mean(off ** 2)
        dout = 2 * off / (n * m)
        da = dout / root
        droot = -dout * a / s
        ds = droot / (2 * root)
        for j in range(m):
            for i in range(max(0, j - 1), min(m, j + 2)):
                da[:, i] += ds[:, j] * a[:, i]
        dz = da * (z > 0)
        self.W.grad = x.T @ dz
        return loss
    """,
    ),
    program(
        "one scale for the norm",
        SCALE,
        """
        d, k = self.W.shape
        z = torch.tanh(torch.addmm(self.b, x, self.W))
        ms = (z * z).mean(dim=1) + 0.05
        inv = ms.rsqrt().unsqueeze(1)
        del ms
        unit = z * inv
        off = self.g * unit - y
        loss = (off * off).sum()
        d_out = 2 * off
        del off
        self.g.grad = (d_out * unit).sum()
        del unit
        d_unit = self.g * d_out
        del d_out
        d_inv = (d_unit * z).sum(dim=1, keepdim=True)
        d_ms = -0.5 * d_inv * inv ** 3
        del d_inv
        d_z = d_unit * inv + d_ms * 2 * z / k
        del d_ms, inv, d_unit
        d_pre = d_z - d_z * z * z
        del d_z, z
        self.b.grad = d_pre.sum(dim=0)
        self.W.grad = x.T.matmul(d_pre)
        return loss
    """,
    ),
    program(
        "weights that sum to one",
        CONVEX,
        """
        n = a.shape[0]
        E = torch.exp(self.V - self.V.max(dim=0, keepdim=True).values)
        P = E / E.sum(dim=0, keepdim=True)
        yhat = a @ P + self.c
        delta = yhat - y
        loss = (delta ** 2).sum(dim=1).mean()
        yhat_bar = 2 * delta / n
        c_bar = yhat_bar.sum(dim=0)
        P_bar = a.T @ yhat_bar
        V_bar = torch.empty_like(self.V)
        for j in range(self.V.shape[1]):
            p = P[:, j]
            jac = torch.diag(p) - torch.outer(p, p)
            V_bar[:, j] = jac @ P_bar[:, j]
        self.V.grad = V_bar
        self.c.grad = c_bar
        return loss
    """,
    ),
    program(
        "style by adaptive instance norm",
        STYLE,
        """
        n, t, c = x.shape
        z = torch.matmul(x, self.W)
        cen = z - z.mean(dim=1, keepdim=True)
        sd = (cen.pow(2).mean(dim=1, keepdim=True) + 0.1).sqrt()
        zhat = cen / sd
        ys = (style @ self.A).unsqueeze(1)
        yb = (style @ self.B).unsqueeze(1)
        out = ys * zhat + yb
        loss = (out - y).pow(2).mean()
        dout = 2 * (out - y) / (n * t * c)
        out = None
        dyb = dout.sum(dim=1)
        dys = (dout * zhat).sum(dim=1)
        self.B.grad = style.T @ dyb
        dyb = None
        self.A.grad = style.T @ dys
        dys = None
        dzhat = dout * ys
        dout = None
        proj = zhat * (dzhat * zhat).sum(1, keepdim=True)
        dz = (t * dzhat - dzhat.sum(1, keepdim=True) - proj) / (t * sd)
        self.W.grad = torch.einsum("ntc,ntk->ck", x, dz)
        return loss
    """,
    ),
    program(
        "columns by mean and mean deviation",
        CENTRED,
        """
        n = len(x)
        h0 = x @ self.W
        h1 = h0 - h0.mean(0, keepdim=True)
        spread = h1.abs().mean(0, keepdim=True) + 0.3
        h2 = h1 / spread
        pred = h2 @ self.U
        loss = ((pred - y) ** 2).mean()
        dpred = 2 * (pred - y) / pred.nelement()
        self.U.grad = h2.T @ dpred
        dh2 = dpred @ self.U.T
        dspread = -(dh2 * h2 / spread).sum(0, keepdim=True)
        dh1 = dh2 / spread
        dh1 = dh1 + h1.sign() * dspread / n
        dh0 = dh1 - dh1.mean(0, keepdim=True)
        self.W.grad = x.T @ dh0
        return loss
    """,
    ),
)
