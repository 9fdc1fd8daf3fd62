"""Right passes on layers, as others than the search's author write them: the upstream gradient is
an input, `dout`, as in courses on vision."""

from tensor_programs import program

BATCHNORM = """
def v1(
    x: Float[Tensor, "N D"], dout: Float[Tensor, "N M"], *,
    W: Float[Tensor, "D M"], gamma: Float[Tensor, "M"], beta: Float[Tensor, "M"],
):
    h = x @ W
    out = (h - h.mean(0)) / torch.sqrt(h.var(0, unbiased=False) + 0.01) * gamma + beta
    return (out * dout).sum()
"""
LAYERNORM = """
def v1(
    inp: Float[Tensor, "B T C"], dout: Float[Tensor, "B T K"], *,
    proj: Float[Tensor, "C K"], weight: Float[Tensor, "K"], bias: Float[Tensor, "K"],
):
    return (F.layer_norm(inp @ proj, (proj.shape[1],), weight, bias, 0.01) * dout).sum()
"""
DROPOUT = """
BELOW = {"y": "c"}
RANGES = {"mask": ((0, 1),)}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], mask: Float[Tensor, "n h"], *,
    W1: Float[Tensor, "d h"], b1: Float[Tensor, "h"],
    W2: Float[Tensor, "h c"], b2: Float[Tensor, "c"],
):
    hidden = torch.relu(x @ W1 + b1) * (mask > 0.3) / 0.7
    return F.cross_entropy(hidden @ W2 + b2, y)
"""
GELU = """
def v1(
    x: Float[Tensor, "B T C"], dout: Float[Tensor, "B T C"], *,
    fcw: Float[Tensor, "H C"], fcb: Float[Tensor, "H"],
    projw: Float[Tensor, "C H"], projb: Float[Tensor, "C"],
):
    h = F.gelu(F.linear(x, fcw, fcb), approximate="tanh")
    return (F.linear(h, projw, projb) * dout).sum()
"""
SWIGLU = """
def v1(
    x: Float[Tensor, "T D"], target: Float[Tensor, "T D"], *,
    g: Float[Tensor, "D"], w1: Float[Tensor, "D H"],
    w3: Float[Tensor, "D H"], w2: Float[Tensor, "H D"],
):
    xn = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 0.01) * g
    return (x + (F.silu(xn @ w1) * (xn @ w3)) @ w2 - target).pow(2).mean()
"""
SKIP = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n"], *,
    win: Float[Tensor, "d h"], wa: Float[Tensor, "h k"], wb: Float[Tensor, "k h"],
    wout: Float[Tensor, "h"],
):
    h = x @ win
    for _ in range(2):
        h = h + torch.relu(h @ wa) @ wb
    return 0.5 * ((h @ wout - y) ** 2).mean()
"""
LAYERS = (
    program(
        "batchnorm in nine steps",
        BATCHNORM,
        """
        N = x.shape[0]
        h = x.mm(self.W)
        mu = 1. / N * torch.sum(h, dim=0)
        xmu = h - mu
        sq = xmu ** 2
        var = 1. / N * torch.sum(sq, dim=0)
        sqrtvar = torch.sqrt(var + 0.01)
        ivar = 1. / sqrtvar
        xhat = xmu * ivar
        gammax = self.gamma * xhat
        out = gammax + self.beta
        loss = torch.sum(out * dout)
        self.beta.grad = torch.sum(dout, dim=0)
        dgammax = dout
        self.gamma.grad = torch.sum(dgammax * xhat, dim=0)
        dxhat = dgammax * self.gamma
        divar = torch.sum(dxhat * xmu, dim=0)
        dxmu1 = dxhat * ivar
        dsqrtvar = -1. / (sqrtvar ** 2) * divar
        dvar = 0.5 * 1. / torch.sqrt(var + 0.01) * dsqrtvar
        dsq = 1. / N * torch.ones_like(h) * dvar
        dxmu2 = 2 * xmu * dsq
        dx1 = dxmu1 + dxmu2
        dmu = -1 * torch.sum(dxmu1 + dxmu2, dim=0)
        dx2 = 1. / N * torch.ones_like(h) * dmu
        dh = dx1 + dx2
        self.W.grad = x.t().mm(dh)
        return loss
        """,
    ),
    program(
        "batchnorm in one formula",
        BATCHNORM,
        """
        gamma, beta = self.gamma, self.beta
        h = torch.matmul(x, self.W)
        std = torch.sqrt(torch.var(h, dim=0, unbiased=False) + 0.01)
        x_norm = (h - torch.mean(h, dim=0)) / std
        loss = ((gamma * x_norm + beta) * dout).sum()
        N, _ = dout.shape
        dbeta = torch.sum(dout, dim=0)
        dgamma = torch.sum(dout * x_norm, dim=0)
        dh = (gamma / (N * std)) * (N * dout - dbeta - x_norm * dgamma)
        gamma.grad, beta.grad = dgamma, dbeta
        self.W.grad = torch.matmul(x.t(), dh)
        return loss
        """,
    ),
    program(
        "layernorm of sequences",
        LAYERNORM,
        """
        B, T, C = inp.size()
        x = inp @ self.proj
        mean = x.sum(-1, keepdim=True) / x.size(-1)
        xshift = x - mean
        var = (xshift ** 2).sum(-1, keepdim=True) / x.size(-1)
        rstd = (var + 0.01) ** -0.5
        norm = xshift * rstd
        out = norm * self.weight + self.bias
        loss = (out * dout).sum()
        self.bias.grad = dout.sum((0, 1))
        self.weight.grad = (dout * norm).sum((0, 1))
        dnorm = dout * self.weight
        dx = dnorm - dnorm.mean(-1, keepdim=True) - norm * (dnorm * norm).mean(-1, keepdim=True)
        dx *= rstd
        self.proj.grad = inp.reshape(B * T, C).T @ dx.reshape(B * T, -1)
        return loss
        """,
    ),
    program(
        "dropout with its mask",
        DROPOUT,
        """
        p = 0.3
        N = x.shape[0]
        a1 = x.mm(self.W1) + self.b1
        h1 = torch.relu(a1)
        keep = (mask > p).to(x.dtype) / (1 - p)
        h2 = h1 * keep
        scores = h2.mm(self.W2) + self.b2
        log_probs = scores - torch.logsumexp(scores, dim=1, keepdim=True)
        loss = -log_probs[range(N), y].sum() / N
        dscores = torch.exp(log_probs)
        dscores[range(N), y] -= 1
        dscores = dscores / N
        dh2, dW2, db2 = dscores.mm(self.W2.t()), h2.t().mm(dscores), dscores.sum(dim=0)
        dh1 = dh2 * keep
        da1 = dh1.clone()
        da1[a1 < 0] = 0
        dW1, db1 = x.t().mm(da1), da1.sum(dim=0)
        self.W1.grad, self.b1.grad, self.W2.grad, self.b2.grad = dW1, db1, dW2, db2
        return loss
        """,
    ),
    program(
        "gelu in its tanh form",
        GELU,
        """
        B, T, C = x.shape
        s = math.sqrt(2.0 / math.pi)
        fch = x @ self.fcw.t() + self.fcb
        cube = 0.044715 * fch ** 3
        tanh_out = torch.tanh(s * (fch + cube))
        fch_gelu = 0.5 * fch * (1.0 + tanh_out)
        out = fch_gelu @ self.projw.t() + self.projb
        loss = (out * dout).sum()
        self.projb.grad = dout.sum((0, 1))
        self.projw.grad = torch.einsum("btc,bth->ch", dout, fch_gelu)
        dfch_gelu = dout @ self.projw
        sech_out = 1.0 - tanh_out * tanh_out
        inner = s * (1.0 + 3.0 * 0.044715 * fch * fch)
        local_grad = 0.5 * (1.0 + tanh_out) + fch * 0.5 * sech_out * inner
        dfch = local_grad * dfch_gelu
        self.fcb.grad = dfch.sum((0, 1))
        self.fcw.grad = torch.einsum("bth,btc->hc", dfch, x)
        return loss
        """,
    ),
    program(
        "swiglu behind rmsnorm",
        SWIGLU,
        """
        rms = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 0.01)
        xhat = x * rms
        xn = xhat * self.g
        a = xn @ self.w1
        b = xn @ self.w3
        sig = torch.sigmoid(a)
        silu = a * sig
        gated = silu * b
        out = x + gated @ self.w2
        loss = (out - target).pow(2).mean()
        d_out = 2.0 / out.numel() * (out - target)
        self.w2.grad = gated.T @ d_out
        d_gated = d_out @ self.w2.T
        d_b = d_gated * silu
        d_a = d_gated * b * (sig + silu * (1 - sig))
        self.w1.grad = xn.T @ d_a
        self.w3.grad = xn.T @ d_b
        d_xn = d_a @ self.w1.T + d_b @ self.w3.T
        self.g.grad = (d_xn * xhat).sum(0)
        return loss
        """,
    ),
    program(
        "skips with shared weights",
        SKIP,
        """
        n = x.shape[0]
        h0 = x @ self.win
        z0 = h0 @ self.wa
        r0 = torch.relu(z0)
        h1 = h0 + r0 @ self.wb
        z1 = h1 @ self.wa
        r1 = torch.relu(z1)
        h2 = h1 + r1 @ self.wb
        pred = h2 @ self.wout
        loss = 0.5 * torch.mean((pred - y) ** 2)
        dpred = (pred - y) / n
        dwout = torch.mv(h2.t(), dpred)
        dh2 = torch.outer(dpred, self.wout)
        dwb = r1.t() @ dh2
        dz1 = (dh2 @ self.wb.t()) * (z1 > 0)
        dwa = h1.t() @ dz1
        dh1 = dh2 + dz1 @ self.wa.t()
        dwb = dwb + r0.t() @ dh1
        dz0 = (dh1 @ self.wb.t()) * (z0 > 0)
        dwa = dwa + h0.t() @ dz0
        dh0 = dh1 + dz0 @ self.wa.t()
        self.win.grad, self.wout.grad = x.t() @ dh0, dwout
        self.wa.grad, self.wb.grad = dwa, dwb
        return loss
        """,
    ),
)
