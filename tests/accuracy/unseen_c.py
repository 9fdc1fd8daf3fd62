"""Right passes on tensors by an author who has not seen the search: layers that normalise, and
what stands around them."""

from tensor_programs import program

GROUPS = """
SIZES = {"m": (2, 4)}
def v1(
    x: Float[Tensor, "n d"], up: Float[Tensor, "n 2*m"], *,
    w: Float[Tensor, "d 2*m"], gamma: Float[Tensor, "2*m"], beta: Float[Tensor, "2*m"],
):
    return (F.group_norm(x @ w, 2, gamma, beta, 0.01) * up).sum()
"""
WEIGHT_NORM = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n c"], *,
    v: Float[Tensor, "c d"], g: Float[Tensor, "c"], b: Float[Tensor, "c"],
):
    W = g[:, None] * v / v.norm(dim=1, keepdim=True)
    return F.mse_loss(torch.tanh(F.linear(x, W, b)), y)
"""
PRE_NORM = """
SIZES = {"d": (2, 5)}
def v1(
    x: Float[Tensor, "n d"], target: Float[Tensor, "n d"], *,
    scale: Float[Tensor, "d"], shift: Float[Tensor, "d"],
    up: Float[Tensor, "d h"], down: Float[Tensor, "h d"],
):
    normed = F.layer_norm(x, (x.shape[1],), scale, shift, 0.01)
    return 0.5 * ((x + torch.relu(normed @ up) @ down - target) ** 2).sum(-1).mean()
"""
RMS = """
def v1(
    u: Float[Tensor, "b t d"], grad_out: Float[Tensor, "b t k"], *,
    P: Float[Tensor, "d k"], gain: Float[Tensor, "k"],
):
    h = u @ P
    return (h / torch.sqrt((h ** 2).mean(-1, keepdim=True) + 0.01) * gain * grad_out).sum()
"""
BATCH = """
BELOW = {"Yb": "v"}
SIZES = {"n": (3, 6), "v": (2, 5)}
def v1(
    Xb: Float[Tensor, "n d"], Yb: Int[Tensor, "n"], *,
    W1: Float[Tensor, "d h"], bngain: Float[Tensor, "1 h"], bnbias: Float[Tensor, "1 h"],
    W2: Float[Tensor, "h v"], b2: Float[Tensor, "v"],
):
    hprebn = Xb @ W1
    var = hprebn.var(0, keepdim=True, unbiased=True)
    hpreact = bngain * (hprebn - hprebn.mean(0, keepdim=True)) * (var + 0.01) ** -0.5 + bnbias
    return F.cross_entropy(torch.tanh(hpreact) @ W2 + b2, Yb)
"""
NORMS = (
    program(
        "group norm by views",
        GROUPS,
        """
        pre = x @ self.w
        N, C = pre.shape
        grouped = pre.view(N, 2, C // 2)
        mean = grouped.mean(dim=2, keepdim=True)
        var = grouped.var(dim=2, unbiased=False, keepdim=True)
        rstd = (var + 0.01).rsqrt()
        xhat = (grouped - mean) * rstd
        flat = xhat.view(N, C)
        loss = torch.sum((flat * self.gamma + self.beta) * up)
        self.gamma.grad = torch.sum(up * flat, dim=0)
        self.beta.grad = torch.sum(up, dim=0)
        gx = (up * self.gamma).view(N, 2, C // 2)
        a = gx.mean(dim=2, keepdim=True)
        b = (gx * xhat).mean(dim=2, keepdim=True)
        gpre = ((gx - a - xhat * b) * rstd).view(N, C)
        self.w.grad = x.t() @ gpre
        return loss
        """,
    ),
    program(
        "weight norm",
        WEIGHT_NORM,
        """
        norm = self.v.pow(2).sum(1).sqrt()
        direction = self.v / norm.unsqueeze(1)
        weight = self.g.unsqueeze(1) * direction
        out = torch.tanh(x @ weight.t() + self.b)
        del weight
        residual = out - y
        loss = residual.pow(2).mean()
        d_out = residual * (2 / residual.numel())
        del residual
        d_pre = d_out * (1 - out * out)
        del d_out, out
        self.b.grad = d_pre.sum(0)
        d_weight = d_pre.t() @ x
        del d_pre
        d_g = (d_weight * direction).sum(1)
        self.g.grad = d_g
        tangent = d_weight - d_g.unsqueeze(1) * direction
        del d_weight, d_g, direction
        self.v.grad = (self.g / norm).unsqueeze(1) * tangent
        return loss
        """,
    ),
    program(
        "residual block behind layernorm",
        PRE_NORM,
        """
        n, d = x.shape
        centered = x - x.mean(1)[:, None]
        sigma = torch.sqrt((centered ** 2).sum(1) / d + 0.01)[:, None]
        unit = centered / sigma
        del centered, sigma
        normed = unit * self.scale + self.shift
        hidden = normed @ self.up
        relu_mask = hidden > 0
        hidden = hidden * relu_mask
        diff = x + hidden @ self.down - target
        loss = 0.5 * (diff * diff).sum() / n
        diff = diff / n
        self.down.grad = hidden.T @ diff
        del hidden
        back = (diff @ self.down.T) * relu_mask
        del diff, relu_mask
        self.up.grad = normed.T @ back
        del normed
        back = back @ self.up.T
        self.shift.grad = back.sum(0)
        self.scale.grad = (back * unit).sum(0)
        return loss
        """,
    ),
    program(
        "rms norm by einsum",
        RMS,
        """
        h = torch.einsum("btd,dk->btk", u, self.P)
        k = h.shape[-1]
        ms = torch.einsum("btk,btk->bt", h, h) / k
        r = 1 / torch.sqrt(ms + 0.01)
        del ms
        y = torch.einsum("btk,bt,k->btk", h, r, self.gain)
        loss = torch.einsum("btk,btk->", y, grad_out)
        del y
        self.gain.grad = torch.einsum("btk,btk,bt->k", grad_out, h, r)
        dr = torch.einsum("btk,btk,k->bt", grad_out, h, self.gain)
        dms = -0.5 * r ** 3 * dr
        del dr
        dh = torch.einsum("btk,bt,k->btk", grad_out, r, self.gain)
        del r
        dh += 2 / k * torch.einsum("btk,bt->btk", h, dms)
        del h, dms
        self.P.grad = torch.einsum("btd,btk->dk", u, dh)
        return loss
        """,
    ),
    program(
        "batchnorm of a lecture, line by line",
        BATCH,
        """
        n = Xb.shape[0]
        hprebn = Xb @ self.W1
        bnmeani = 1/n * hprebn.sum(0, keepdim=True)
        bndiff = hprebn - bnmeani
        bndiff2 = bndiff**2
        bnvar = 1/(n-1) * bndiff2.sum(0, keepdim=True)
        bnvar_inv = (bnvar + 0.01)**-0.5
        bnraw = bndiff * bnvar_inv
        hpreact = self.bngain * bnraw + self.bnbias
        h = torch.tanh(hpreact)
        logits = h @ self.W2 + self.b2
        logit_maxes = logits.max(1, keepdim=True).values
        counts = (logits - logit_maxes).exp()
        counts_sum_inv = counts.sum(1, keepdim=True)**-1
        probs = counts * counts_sum_inv
        logprobs = probs.log()
        loss = -logprobs[range(n), Yb].mean()
        dlogprobs = torch.zeros_like(logprobs)
        dlogprobs[range(n), Yb] = -1.0/n
        dprobs = dlogprobs / probs
        dcounts_sum_inv = (counts * dprobs).sum(1, keepdim=True)
        dcounts = counts_sum_inv * dprobs
        dcounts += -counts_sum_inv**2 * dcounts_sum_inv
        dlogits = counts * dcounts
        dh = dlogits @ self.W2.T
        dW2 = h.T @ dlogits
        db2 = dlogits.sum(0)
        dhpreact = (1.0 - h**2) * dh
        dbngain = (bnraw * dhpreact).sum(0, keepdim=True)
        dbnbias = dhpreact.sum(0, keepdim=True)
        dbnraw = self.bngain * dhpreact
        dbndiff = bnvar_inv * dbnraw
        dbnvar_inv = (bndiff * dbnraw).sum(0, keepdim=True)
        dbnvar = -0.5*(bnvar + 0.01)**-1.5 * dbnvar_inv
        dbndiff2 = 1/(n-1) * torch.ones_like(bndiff2) * dbnvar
        dbndiff += 2*bndiff * dbndiff2
        dhprebn = dbndiff.clone()
        dhprebn -= 1/n * dbndiff.sum(0)
        dW1 = Xb.T @ dhprebn
        for p, g in zip((self.W1, self.bngain, self.bnbias, self.W2, self.b2),
                        (dW1, dbngain, dbnbias, dW2, db2)):
            p.grad = g
        return loss
        """,
    ),
)
