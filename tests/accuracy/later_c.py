"""Right passes on tensors by an author who has not seen the search: normalizations."""

from tensor_programs import program

CHARACTERS = """
BELOW = {"Xb": "v", "Yb": "v"}
SIZES = {"n": (2, 5), "e": (1, 3), "h": (1, 4)}
def v1(
    Xb: Int[Tensor, "n 3"], Yb: Int[Tensor, "n"], tilt: Float[Tensor, "n 1"], *,
    C: Float[Tensor, "v e"], W1: Float[Tensor, "3*e h"],
    bngain: Float[Tensor, "1 h"], bnbias: Float[Tensor, "1 h"],
    W2: Float[Tensor, "h v"], b2: Float[Tensor, "v"],
):
    pre = C[Xb].flatten(1) @ W1 + tilt
    raw = (pre - pre.mean(0, keepdim=True)) / torch.sqrt(pre.var(0, keepdim=True) + 0.01)
    return F.cross_entropy(torch.tanh(bngain * raw + bnbias) @ W2 + b2, Yb)
"""
SPATIAL = """
SIZES = {"n": (2, 4), "c": (1, 3)}
def v1(
    x: Float[Tensor, "n c 2 3"], y: Float[Tensor, "n c 2 3"], *,
    k: Float[Tensor, "c"], gamma: Float[Tensor, "c"], beta: Float[Tensor, "c"],
):
    z = torch.relu(x * k[:, None, None] + 0.5)
    out = F.batch_norm(z, None, None, gamma, beta, training=True, eps=0.05)
    return 0.5 * ((out - y) ** 2).sum()
"""
PRE_LN = """
SIZES = {"d": (2, 5)}
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n d"], *,
    g: Float[Tensor, "d"], b: Float[Tensor, "d"], W: Float[Tensor, "d d"], V: Float[Tensor, "d d"],
):
    h = x @ V
    out = h + torch.tanh(F.layer_norm(h, (h.shape[1],), g, b, 0.02) @ W)
    return ((out - y) ** 2).mean()
"""
RMS = """
BELOW = {"y": "c"}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    w_in: Float[Tensor, "d h"], scale: Float[Tensor, "h"], w_out: Float[Tensor, "h c"],
):
    h = x @ w_in
    h = h * torch.rsqrt((h ** 2).mean(-1, keepdim=True) + 0.01) * scale
    return F.cross_entropy(h @ w_out, y)
"""
GROUPS = """
SIZES = {"g": (1, 3), "l": (2, 4)}
def v1(
    x: Float[Tensor, "n c l"], y: Float[Tensor, "n 2*g l"], *,
    W: Float[Tensor, "2*g c"], gamma: Float[Tensor, "2*g"], beta: Float[Tensor, "2*g"],
):
    z = torch.einsum("oc,ncl->nol", W, x)
    return ((F.group_norm(z, W.shape[0] // 2, gamma, beta, eps=0.1) - y) ** 2).sum() / x.shape[0]
"""
WEIGHT_NORM = """
RANGES = {"v": ((-2, 2), (0.3, 1.5))}
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n o"], *,
    v: Float[Tensor, "o d"], g: Float[Tensor, "o"], b: Float[Tensor, "o"],
):
    w = g[:, None] * v / v.norm(dim=1, keepdim=True)
    return ((torch.relu(x @ w.T + b) - y) ** 2).mean()
"""
COSINE = """
BELOW = {"y": "c"}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    A: Float[Tensor, "d k"], P: Float[Tensor, "c k"], s: Float[Tensor, ""],
):
    f = x @ A
    f = f / torch.sqrt((f ** 2).sum(1, keepdim=True) + 0.05)
    p = P / torch.sqrt((P ** 2).sum(1, keepdim=True) + 0.05)
    return F.cross_entropy(s * f @ p.T, y)
"""
STANDARD = """
SIZES = {"d": (2, 5)}
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n o"], *,
    W: Float[Tensor, "o d"], gain: Float[Tensor, "o"],
):
    mean = W.mean(1, keepdim=True)
    std = torch.sqrt(((W - mean) ** 2).mean(1, keepdim=True) + 0.03)
    return F.smooth_l1_loss(x @ ((W - mean) / std * gain[:, None]).T, y, reduction="sum")
"""

NORMS = (
    program(
        "characters through unrolled batchnorm",
        CHARACTERS,
        """
        n = Xb.shape[0]
        looked_up = self.C[Xb]
        flat = looked_up.reshape(n, -1)
        a = flat @ self.W1 + tilt
        avg = a.sum(0, keepdim=True) / n
        diff = a - avg
        var = diff.pow(2).sum(0, keepdim=True) / (n - 1)
        istd = torch.rsqrt(var + 0.01)
        raw = diff * istd
        scaled = raw * self.bngain + self.bnbias
        h = scaled.tanh()
        logits = h @ self.W2 + self.b2
        top = logits.amax(1, keepdim=True)
        counts = (logits - top).exp()
        total = counts.sum(1, keepdim=True)
        share = counts / total
        loss = -share[torch.arange(n), Yb].log().mean()
        d_share = torch.zeros_like(share)
        d_share[torch.arange(n), Yb] = -1 / (n * share[torch.arange(n), Yb])
        d_counts = d_share / total
        d_total = -(d_share * counts).sum(1, keepdim=True) / total ** 2
        d_counts = d_counts + d_total
        d_logits = d_counts * counts
        self.b2.grad = d_logits.sum(0)
        self.W2.grad = h.T @ d_logits
        d_h = d_logits @ self.W2.T
        d_scaled = d_h - d_h * h * h
        self.bnbias.grad = d_scaled.sum(0, keepdim=True)
        self.bngain.grad = (d_scaled * raw).sum(0, keepdim=True)
        d_raw = d_scaled * self.bngain
        d_diff = d_raw * istd
        d_istd = (d_raw * diff).sum(0, keepdim=True)
        d_var = d_istd * -0.5 * istd ** 3
        d_diff = d_diff + d_var * 2 * diff / (n - 1)
        d_avg = -d_diff.sum(0, keepdim=True)
        d_a = d_diff + d_avg / n
        self.W1.grad = flat.T @ d_a
        d_flat = d_a @ self.W1.T
        d_rows = d_flat.reshape(n, 3, -1)
        dC = torch.zeros_like(self.C)
        for i in range(n):
            for place in range(3):
                dC[Xb[i, place]] += d_rows[i, place]
        self.C.grad = dC
        return loss
        """,
    ),
    program(
        "spatial batchnorm",
        SPATIAL,
        """
        N, C, H, W = x.shape
        pre = x * self.k.view(1, C, 1, 1) + 0.5
        act = torch.relu(pre)
        flat = act.permute(0, 2, 3, 1).reshape(-1, C)
        m = flat.shape[0]
        mu = flat.mean(dim=0)
        xmu = flat - mu
        var = (xmu ** 2).mean(dim=0)
        std = torch.sqrt(var + 0.05)
        xhat = xmu / std
        out = self.gamma * xhat + self.beta
        target = y.permute(0, 2, 3, 1).reshape(-1, C)
        loss = 0.5 * ((out - target) ** 2).sum()
        dout = out - target
        self.beta.grad = dout.sum(dim=0)
        self.gamma.grad = torch.sum(dout * xhat, dim=0)
        dxhat = dout * self.gamma
        dflat = m * dxhat - dxhat.sum(dim=0)
        dflat -= xhat * torch.sum(dxhat * xhat, dim=0)
        dflat /= m * std
        dact = dflat.reshape(N, H, W, C).permute(0, 3, 1, 2)
        dpre = dact * (pre > 0)
        self.k.grad = (dpre * x).sum(dim=(0, 2, 3))
        return loss
        """,
    ),
    program(
        "residual after layernorm",
        PRE_LN,
        """
        n, d = x.shape
        h = x @ self.V
        mu = h.sum(1, keepdim=True) / d
        cent = h - mu
        var = (cent * cent).sum(1, keepdim=True) / d
        rstd = (var + 0.02).rsqrt()
        norm = cent * rstd
        ln = norm * self.g + self.b
        t = torch.tanh(ln @ self.W)
        diff = h + t - y
        loss = diff.pow(2).mean()
        dout = 2 * diff / (n * d)
        dh = dout.clone()
        dpre = dout * (1 - t.pow(2))
        self.W.grad = ln.T @ dpre
        dln = dpre @ self.W.T
        self.g.grad = (dln * norm).sum(0)
        self.b.grad = dln.sum(0)
        dnorm = dln * self.g
        dcent = dnorm * rstd
        drstd = (dnorm * cent).sum(1, keepdim=True)
        dvar = -0.5 * rstd ** 3 * drstd
        dcent += 2 * cent * dvar / d
        dh += dcent - dcent.mean(1, keepdim=True)
        self.V.grad = x.T @ dh
        return loss
        """,
    ),
    program(
        "rms norm",
        RMS,
        """
        n = x.shape[0]
        u = x @ self.w_in
        ms = (u * u).mean(dim=-1, keepdim=True)
        r = torch.rsqrt(ms + 0.01)
        ms = None
        unit = u * r
        u = None
        v = unit * self.scale
        logits = v @ self.w_out
        logp = F.log_softmax(logits, dim=-1)
        loss = F.nll_loss(logp, y)
        onehot = torch.zeros_like(logits)
        logits = None
        onehot[torch.arange(n), y] = 1
        g_logits = (torch.exp(logp) - onehot) / n
        logp = onehot = None
        self.w_out.grad = v.T @ g_logits
        v = None
        g_v = g_logits @ self.w_out.T
        g_logits = None
        self.scale.grad = (g_v * unit).sum(dim=0)
        g_unit = g_v * self.scale
        g_v = None
        proj = (g_unit * unit).mean(dim=-1, keepdim=True)
        g_u = r * (g_unit - unit * proj)
        unit = r = proj = g_unit = None
        self.w_in.grad = x.T @ g_u
        return loss
        """,
    ),
    program(
        "group norm",
        GROUPS,
        """
        N, _, L = x.shape
        O = self.W.shape[0]
        G = O // 2
        z = torch.matmul(self.W, x)
        zg = z.view(N, G, -1)
        m = zg.shape[2]
        mean = zg.mean(dim=2, keepdim=True)
        var = zg.var(dim=2, unbiased=False, keepdim=True)
        ivar = 1.0 / torch.sqrt(var + 0.1)
        xg = (zg - mean) * ivar
        xn = xg.view(N, O, L)
        out = xn * self.gamma[None, :, None] + self.beta[None, :, None]
        delta = out - y
        loss = (delta ** 2).sum() / N
        dout = 2 * delta / N
        self.gamma.grad = (dout * xn).sum(dim=(0, 2))
        self.beta.grad = dout.sum(dim=(0, 2))
        dxn = dout * self.gamma[None, :, None]
        dxg = dxn.view(N, G, -1)
        s1 = dxg.sum(dim=2, keepdim=True)
        s2 = (dxg * xg).sum(dim=2, keepdim=True)
        dzg = ivar / m * (m * dxg - s1 - xg * s2)
        dz = dzg.view(N, O, L)
        self.W.grad = torch.einsum("nol,ncl->oc", dz, x)
        return loss
        """,
    ),
    program(
        "weight norm",
        WEIGHT_NORM,
        """
        length = torch.sqrt((self.v * self.v).sum(1, keepdim=True))
        unit = self.v / length
        w = self.g.unsqueeze(1) * unit
        z = x @ w.T + self.b
        h = torch.relu(z)
        loss = ((h - y) ** 2).mean()
        dh = 2 * (h - y) / y.numel()
        dz = dh * (z > 0)
        del w, h, z
        dw = dz.T @ x
        dg = (dw * unit).sum(1)
        dunit = dw * self.g.unsqueeze(1)
        dlength = -(dunit * unit).sum(1, keepdim=True) / length
        dv = dunit / length
        del dw, unit, dunit
        dv = dv + dlength * self.v / length
        self.v.grad = dv
        del dlength, length, dv
        self.g.grad = dg
        self.b.grad = dz.sum(0)
        return loss
        """,
    ),
    program(
        "cosine classifier",
        COSINE,
        """
        eps = 0.05
        n = len(y)
        f = x @ self.A
        f_norm = torch.sqrt(f.pow(2).sum(1, keepdim=True) + eps)
        f_hat = f / f_norm
        p_norm = torch.sqrt(self.P.pow(2).sum(1, keepdim=True) + eps)
        p_hat = self.P / p_norm
        cos = f_hat @ p_hat.T
        logits = self.s * cos
        prob = torch.softmax(logits, dim=1)
        loss = -torch.log(prob[torch.arange(n), y]).mean()
        delta = prob.clone()
        delta[torch.arange(n), y] -= 1
        delta /= n
        self.s.grad = (delta * cos).sum()
        dcos = self.s * delta
        df_hat = dcos @ p_hat
        dp_hat = dcos.T @ f_hat
        df = (df_hat - f_hat * (f_hat * df_hat).sum(1, keepdim=True)) / f_norm
        dP = (dp_hat - p_hat * (p_hat * dp_hat).sum(1, keepdim=True)) / p_norm
        self.A.grad = x.T @ df
        self.P.grad = dP
        return loss
        """,
    ),
    program(
        "standardized weights",
        STANDARD,
        """
        fan_in = self.W.shape[1]
        mu = self.W.mean(1)
        centered = self.W - mu[:, None]
        var = centered.pow(2).sum(1) / fan_in
        std = (var + 0.03).sqrt()
        what = centered / std[:, None]
        w = what * self.gain[:, None]
        e = x @ w.t() - y
        inside = e.abs() < 1
        loss = torch.where(inside, 0.5 * e * e, e.abs() - 0.5).sum()
        de = torch.where(inside, e, e.sign())
        dw = de.t() @ x
        self.gain.grad = (dw * what).sum(1)
        dwhat = dw * self.gain[:, None]
        dcentered = dwhat / std[:, None]
        dstd = -(dwhat * centered).sum(1) / std ** 2
        dvar = 0.5 * dstd / std
        dcentered = dcentered + 2 / fan_in * centered * dvar[:, None]
        dmu = -dcentered.sum(1)
        self.W.grad = dcentered + dmu[:, None] / fan_in
        return loss
        """,
    ),
)
