"""Right passes on tensors by an author who has not seen the search: nets of layers and gates."""

from tensor_programs import program

TWO_LAYER = """
BELOW = {"y": "c"}
def v1(
    X: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    W1: Float[Tensor, "d h"], b1: Float[Tensor, "h"],
    W2: Float[Tensor, "h c"], b2: Float[Tensor, "c"],
):
    scores = F.relu(X @ W1 + b1) @ W2 + b2
    return F.cross_entropy(scores, y) + 0.5 * 0.2 * ((W1 ** 2).sum() + (W2 ** 2).sum())
"""
MLP = """
RANGES = {"y": ((0.05, 0.95),)}
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n k"], *,
    W1: Float[Tensor, "h d"], b1: Float[Tensor, "h"],
    W2: Float[Tensor, "k h"], b2: Float[Tensor, "k"],
):
    y_hat = torch.sigmoid(F.linear(torch.relu(F.linear(x, W1, b1)), W2, b2))
    return F.binary_cross_entropy(y_hat, y)
"""
SAMPLES = """
def v1(
    x: Float[Tensor, "n d"], t: Float[Tensor, "n k"], *,
    w1: Float[Tensor, "h d"], b1: Float[Tensor, "h"],
    w2: Float[Tensor, "k h"], b2: Float[Tensor, "k"],
):
    x2 = torch.tanh(torch.tanh(x @ w1.t() + b1) @ w2.t() + b2)
    return (x2 - t).pow(2).sum()
"""
SWIGLU = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n d"], *,
    w1: Float[Tensor, "d f"], w3: Float[Tensor, "d f"], w2: Float[Tensor, "f d"],
):
    return ((x + (F.silu(x @ w1) * (x @ w3)) @ w2 - y) ** 2).mean()
"""
GELU = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n c"], *,
    fc: Float[Tensor, "d h"], fc_b: Float[Tensor, "h"], proj: Float[Tensor, "h c"],
):
    return (F.gelu(x @ fc + fc_b, approximate="tanh") @ proj - y).abs().pow(2).mean()
"""
PRELU = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n c"], *,
    w1: Float[Tensor, "d h"], slope: Float[Tensor, "h"],
    w2: Float[Tensor, "h c"], b2: Float[Tensor, "c"],
):
    z = x @ w1
    return F.mse_loss(torch.where(z > 0, z, slope * z) @ w2 + b2, y)
"""
HIGHWAY = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n d"], *,
    Wh: Float[Tensor, "d d"], bh: Float[Tensor, "d"],
    Wt: Float[Tensor, "d d"], bt: Float[Tensor, "d"],
):
    t = torch.sigmoid(x @ Wt + bt)
    return 0.5 * ((t * torch.tanh(x @ Wh + bh) + (1 - t) * x - y) ** 2).sum() / x.shape[0]
"""
MAXOUT = """
BELOW = {"y": "c"}
SIZES = {"p": (2, 3)}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    W: Float[Tensor, "p d h"], b: Float[Tensor, "p h"], U: Float[Tensor, "h c"],
):
    z = torch.einsum("nd,pdh->pnh", x, W) + b[:, None, :]
    return F.cross_entropy(z.amax(0) @ U, y)
"""
DROPOUT = """
BELOW = {"kept": 2, "y": "c"}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], kept: Int[Tensor, "n h"], *,
    W1: Float[Tensor, "d h"], b1: Float[Tensor, "h"], W2: Float[Tensor, "h c"],
):
    h = F.elu(x @ W1 + b1) * kept / 0.8
    return F.cross_entropy(h @ W2, y, reduction="sum") / x.shape[0]
"""
TIED = """
def v1(
    x: Float[Tensor, "n d"], *,
    W: Float[Tensor, "d h"], b: Float[Tensor, "h"], c: Float[Tensor, "d"],
):
    code = torch.sigmoid(x @ W + b)
    return ((code @ W.T + c - x) ** 2).sum(1).mean() + 0.1 * code.mean(0).sum()
"""

NETWORKS = (
    program(
        "two layers with a cache",
        TWO_LAYER,
        """
        reg = 0.2
        N = X.shape[0]
        cache = {}
        cache["z1"] = X.mm(self.W1) + self.b1
        cache["h1"] = cache["z1"].clamp(min=0)
        scores = cache["h1"].mm(self.W2) + self.b2
        scores = scores - scores.max(dim=1, keepdim=True)[0]
        exp_scores = torch.exp(scores)
        probs = exp_scores / exp_scores.sum(dim=1, keepdim=True)
        data_loss = -torch.log(probs[torch.arange(N), y]).sum() / N
        reg_loss = 0.5 * reg * (torch.sum(self.W1 ** 2) + torch.sum(self.W2 ** 2))
        loss = data_loss + reg_loss
        dscores = probs.clone()
        dscores[torch.arange(N), y] -= 1
        dscores /= N
        grads = {}
        grads["W2"] = cache["h1"].t().mm(dscores) + reg * self.W2
        grads["b2"] = dscores.sum(dim=0)
        dhidden = dscores.mm(self.W2.t())
        dhidden[cache["h1"] <= 0] = 0
        grads["W1"] = X.t().mm(dhidden) + reg * self.W1
        grads["b1"] = dhidden.sum(dim=0)
        self.W1.grad, self.b1.grad = grads["W1"], grads["b1"]
        self.W2.grad, self.b2.grad = grads["W2"], grads["b2"]
        return loss
        """,
    ),
    program(
        "mlp with layouts of nn.Linear",
        MLP,
        """
        z1 = x @ self.W1.T + self.b1
        z2 = torch.relu(z1)
        z3 = z2 @ self.W2.T + self.b2
        y_hat = torch.sigmoid(z3)
        J = -(y * y_hat.log() + (1 - y) * (1 - y_hat).log()).mean()
        dJdy_hat = (y_hat - y) / (y_hat * (1 - y_hat))
        dJdy_hat = dJdy_hat / y.numel()
        dy_hatdz3 = y_hat * (1 - y_hat)
        dJdz3 = dJdy_hat * dy_hatdz3
        dJdW2 = dJdz3.T @ z2
        dJdb2 = dJdz3.sum(0)
        dJdz2 = dJdz3 @ self.W2
        dz2dz1 = (z1 > 0).to(z1.dtype)
        dJdz1 = dJdz2 * dz2dz1
        self.W1.grad = dJdz1.T @ x
        self.b1.grad = dJdz1.sum(0)
        self.W2.grad = dJdW2
        self.b2.grad = dJdb2
        return J
        """,
    ),
    program(
        "sample by sample",
        SAMPLES,
        """
        dl_dw1, dl_db1 = torch.zeros_like(self.w1), torch.zeros_like(self.b1)
        dl_dw2, dl_db2 = torch.zeros_like(self.w2), torch.zeros_like(self.b2)
        total = 0
        for n in range(x.size(0)):
            x0 = x[n]
            s1 = self.w1.mv(x0) + self.b1
            x1 = s1.tanh()
            s2 = self.w2.mv(x1) + self.b2
            x2 = s2.tanh()
            total = total + (x2 - t[n]).pow(2).sum()
            dl_dx2 = 2 * (x2 - t[n])
            dl_ds2 = dl_dx2 * (1 - s2.tanh().pow(2))
            dl_dx1 = self.w2.t().mv(dl_ds2)
            dl_ds1 = dl_dx1 * (1 - s1.tanh().pow(2))
            dl_dw2.add_(dl_ds2.view(-1, 1).mm(x1.view(1, -1)))
            dl_db2.add_(dl_ds2)
            dl_dw1.add_(dl_ds1.view(-1, 1).mm(x0.view(1, -1)))
            dl_db1.add_(dl_ds1)
        self.w1.grad = dl_dw1
        self.b1.grad = dl_db1
        self.w2.grad = dl_dw2
        self.b2.grad = dl_db2
        return total
        """,
    ),
    program(
        "swiglu block",
        SWIGLU,
        """
        gate = x @ self.w1
        up = x @ self.w3
        sig = torch.sigmoid(gate)
        act = gate * sig
        hidden = act * up
        out = x + hidden @ self.w2
        diff = out - y
        loss = diff.square().mean()
        grad_out = 2.0 * diff / diff.numel()
        del gate, out, diff
        self.w2.grad = hidden.T @ grad_out
        grad_hidden = grad_out @ self.w2.T
        grad_up = grad_hidden * act
        grad_act = grad_hidden * up
        del hidden, up, grad_hidden
        grad_gate = grad_act * (sig + act * (1 - sig))
        del act, grad_act, sig
        self.w3.grad = x.T @ grad_up
        self.w1.grad = x.T @ grad_gate
        return loss
        """,
    ),
    program(
        "gelu by tanh",
        GELU,
        """
        c0 = math.sqrt(2.0 / math.pi)
        c1 = 0.044715
        u = x @ self.fc + self.fc_b
        inner = c0 * (u + c1 * u ** 3)
        th = torch.tanh(inner)
        h = 0.5 * u * (1 + th)
        logits = h @ self.proj
        err = logits - y
        loss = (err ** 2).sum() / err.numel()
        dlogits = (2 / err.numel()) * err
        self.proj.grad = h.T @ dlogits
        dh = dlogits @ self.proj.T
        du = 0.5 * (1 + th) * dh
        dth = 0.5 * u * dh
        dinner = dth * (1 - th ** 2)
        du += dinner * c0 * (1 + 3 * c1 * u ** 2)
        self.fc.grad = x.T @ du
        self.fc_b.grad = du.sum(0)
        return loss
        """,
    ),
    program(
        "prelu",
        PRELU,
        """
        z = torch.matmul(x, self.w1)
        neg = torch.clamp(z, max=0)
        a = torch.clamp(z, min=0) + self.slope * neg
        yhat = torch.matmul(a, self.w2) + self.b2
        loss = torch.mean((yhat - y) ** 2)
        dyhat = (yhat - y) * 2 / (y.shape[0] * y.shape[1])
        self.w2.grad = torch.matmul(a.T, dyhat)
        self.b2.grad = torch.sum(dyhat, dim=0)
        da = torch.matmul(dyhat, self.w2.T)
        self.slope.grad = torch.sum(da * neg, dim=0)
        factor = torch.ones_like(z)
        factor = torch.where(z > 0, factor, factor * self.slope)
        dz = da * factor
        self.w1.grad = torch.matmul(x.T, dz)
        return loss
        """,
    ),
    program(
        "highway layer",
        HIGHWAY,
        """
        n = x.shape[0]
        pre_h = x @ self.Wh + self.bh
        pre_t = x @ self.Wt + self.bt
        H = torch.tanh(pre_h)
        del pre_h
        T = torch.sigmoid(pre_t)
        del pre_t
        carry = 1 - T
        out = T * H + carry * x
        loss = 0.5 * ((out - y) ** 2).sum() / n
        dout = (out - y) / n
        del out
        dH = dout * T
        dT = dout * (H - x)
        del dout
        dpre_h = dH * (1 - H * H)
        del dH, H
        dpre_t = dT * T * carry
        del carry, T, dT
        self.Wh.grad = x.T @ dpre_h
        self.bh.grad = dpre_h.sum(0)
        del dpre_h
        self.Wt.grad = x.T @ dpre_t
        self.bt.grad = dpre_t.sum(0)
        return loss
        """,
    ),
    program(
        "maxout",
        MAXOUT,
        """
        P, _, H = self.W.shape
        N = x.shape[0]
        pieces = torch.stack([x @ self.W[p] + self.b[p] for p in range(P)])
        hidden, which = pieces.max(dim=0)
        logits = hidden @ self.U
        logp = logits - torch.logsumexp(logits, dim=1, keepdim=True)
        loss = -logp.gather(1, y.unsqueeze(1)).mean()
        dlogits = logp.exp() - F.one_hot(y, logits.shape[1])
        dlogits = dlogits / N
        self.U.grad = hidden.T @ dlogits
        dhidden = dlogits @ self.U.T
        dW = torch.zeros_like(self.W)
        db = torch.zeros_like(self.b)
        for p in range(P):
            dpiece = dhidden * (which == p)
            dW[p] = x.T @ dpiece
            db[p] = dpiece.sum(0)
        self.W.grad = dW
        self.b.grad = db
        return loss
        """,
    ),
    program(
        "elu with dropout",
        DROPOUT,
        """
        keep = 0.8
        n = x.shape[0]
        mask = kept.to(x.dtype) / keep
        z = x @ self.W1 + self.b1
        ez = torch.exp(z.clamp(max=0))
        a = torch.where(z > 0, z, ez - 1)
        h = a * mask
        s = h @ self.W2
        e = torch.exp(s - s.amax(dim=1, keepdim=True))
        p = e / e.sum(dim=1)[:, None]
        picked = p[range(n), y]
        loss = -picked.log().sum() / n
        ds = p
        ds[range(n), y] -= 1
        ds = ds / n
        dW2 = h.T @ ds
        dh = ds @ self.W2.T
        da = dh * mask
        dz = torch.where(z > 0, da, da * ez)
        self.W2.grad = dW2
        self.W1.grad = x.T @ dz
        self.b1.grad = dz.sum(0)
        return loss
        """,
    ),
    program(
        "tied autoencoder",
        TIED,
        """
        n = x.shape[0]
        z = x @ self.W + self.b
        code = torch.sigmoid(z)
        recon = code @ self.W.T + self.c
        err = recon - x
        loss = (err ** 2).sum() / n
        loss = loss + 0.1 * code.sum() / n
        d_recon = 2 * err / n
        grad_W = d_recon.T @ code
        self.c.grad = d_recon.sum(0)
        d_code = d_recon @ self.W
        d_code = d_code + 0.1 / n
        d_z = d_code * code * (1 - code)
        grad_W = grad_W + x.T @ d_z
        self.W.grad = grad_W
        self.b.grad = d_z.sum(0)
        return loss
        """,
    ),
)
