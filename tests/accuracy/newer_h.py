"""Right passes on tensors by a third author who has not seen the search: images and signals."""

from tensor_programs import program

UNFOLD = """
def v1(
    x: Float[Tensor, "n 2 4 4"], y: Float[Tensor, "n k 4 4"], *,
    w1: Float[Tensor, "m 2 3 3"], b1: Float[Tensor, "m"], w2: Float[Tensor, "k m 1 1"],
):
    h = torch.relu(F.conv2d(x, w1, b1, padding=1))
    return ((F.conv2d(h, w2) - y) ** 2).mean()
"""
STRIDED = """
BELOW = {"y": "c"}
def v1(
    x: Float[Tensor, "n 1 5 5"], y: Int[Tensor, "n"], *,
    W: Float[Tensor, "f 1 3 3"], b: Float[Tensor, "f"], A: Float[Tensor, "4*f c"],
):
    h = torch.tanh(F.conv2d(x, W, b, stride=2))
    return F.cross_entropy(h.flatten(1) @ A, y)
"""
DILATED = """
def v1(
    x: Float[Tensor, "n c 8"], y: Float[Tensor, "n k 8"], *,
    w: Float[Tensor, "k c 3"], g: Float[Tensor, "k c 3"],
):
    p = F.pad(x, (4, 0))
    out = torch.tanh(F.conv1d(p, w, dilation=2)) * torch.sigmoid(F.conv1d(p, g, dilation=2))
    return ((out - y) ** 2).mean()
"""
AVERAGE = """
def v1(
    x: Float[Tensor, "n c 4 6"], y: Float[Tensor, "n k"], *,
    W: Float[Tensor, "k 6*c"], s: Float[Tensor, "c"], t: Float[Tensor, "c"],
):
    h = F.avg_pool2d(F.softplus(x * s[:, None, None] + t[:, None, None]), 2)
    return ((h.flatten(1) @ W.T - y) ** 2).sum(1).mean()
"""
KEYPOINTS = """
def v1(
    x: Float[Tensor, "n c 3 4"], y: Float[Tensor, "n k 2"], *,
    W: Float[Tensor, "k c"], beta: Float[Tensor, ""],
):
    p = torch.softmax(beta * torch.einsum("kc,ncs->nks", W, x.flatten(2)), 2).unflatten(2, (3, 4))
    r, c = torch.arange(3, dtype=x.dtype), torch.arange(4, dtype=x.dtype)
    at = torch.stack([p.sum(3) @ r, p.sum(2) @ c], 2)
    return ((at - y) ** 2).sum(2).mean()
"""
SHUFFLE = """
def v1(
    x: Float[Tensor, "n c 2 3"], y: Float[Tensor, "n 1 4 6"], *,
    W: Float[Tensor, "4 c"], b: Float[Tensor, "4"],
):
    z = torch.einsum("kc,nchw->nkhw", W, x) + b[:, None, None]
    return torch.abs(torch.sigmoid(F.pixel_shuffle(z, 2)) - y).mean()
"""
GROUPS = """
def v1(
    x: Float[Tensor, "n 4 3 3"], y: Float[Tensor, "n"], *,
    w: Float[Tensor, "2 2 2 2"], v: Float[Tensor, "2 2 2"],
):
    z = F.conv2d(x, w, groups=2)
    z = torch.clamp(z, -1, 1)
    return (((z * v).sum((1, 2, 3)) - y) ** 2).mean()
"""
LOCALLY = """
SIZES = {"m": (6, 8)}
def v1(
    x: Float[Tensor, "n m"], y: Float[Tensor, "n"], *,
    W: Float[Tensor, "m-2 3 k"], b: Float[Tensor, "m-2 k"], v: Float[Tensor, "k"],
):
    z = torch.einsum("nli,lik->nlk", x.unfold(1, 3, 1), W) + b
    return ((torch.relu(z).amax(1) @ v - y) ** 2).sum()
"""
DENOISE = """
SIZES = {"h": (3, 4), "w": (5, 6)}
def v1(
    noisy: Float[Tensor, "h w"], mask: Float[Tensor, "h w"], *,
    u: Float[Tensor, "h w"], loglam: Float[Tensor, ""],
):
    dy, dx = u[1:, :-1] - u[:-1, :-1], u[:-1, 1:] - u[:-1, :-1]
    tv = torch.sqrt(dx ** 2 + dy ** 2 + 0.1).sum()
    return 0.5 * (mask ** 2 * (u - noisy) ** 2).sum() + torch.exp(loglam) * tv - loglam
"""
PICTURES = (
    program(
        "two convolutions with unfold and fold",
        UNFOLD,
        """
        n, c, H, W = x.shape
        m, k = self.w1.shape[0], self.w2.shape[0]
        cols = F.unfold(x, kernel_size=3, padding=1)
        w1 = self.w1.view(m, -1)
        w2 = self.w2.view(k, m)
        z = w1 @ cols + self.b1.view(-1, 1)
        h = torch.relu(z)
        out = w2 @ h
        diff = out - y.view(n, k, H * W)
        loss = diff.pow(2).mean()
        dout = 2 * diff / diff.numel()
        dw2 = (dout @ h.transpose(1, 2)).sum(0)
        dh = w2.T @ dout
        dz = dh * (z > 0).to(dh.dtype)
        dw1 = (dz @ cols.transpose(1, 2)).sum(0)
        self.w2.grad = dw2.view(k, m, 1, 1)
        self.w1.grad = dw1.view(self.w1.shape)
        self.b1.grad = dz.sum(dim=(0, 2))
        return loss
    """,
    ),
    program(
        "strides, flat features and classes",
        STRIDED,
        """
        N, F_ = x.shape[0], self.W.shape[0]
        z = torch.zeros(N, F_, 2, 2)
        for i in range(2):
            for j in range(2):
                win = x[:, 0, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3].reshape(N, 9)
                z[:, :, i, j] = win @ self.W.reshape(F_, 9).T + self.b
        h = torch.tanh(z)
        flat = h.reshape(N, -1)
        s = flat @ self.A
        logp = s - torch.logsumexp(s, 1, keepdim=True)
        loss = -logp[range(N), y].mean()
        ds = torch.exp(logp)
        ds[range(N), y] -= 1
        ds /= N
        self.A.grad = flat.T @ ds
        dh = (ds @ self.A.T).reshape(h.shape)
        dz = dh * (1 - h ** 2)
        dW = torch.zeros(F_, 9)
        for i in range(2):
            for j in range(2):
                win = x[:, 0, 2 * i : 2 * i + 3, 2 * j : 2 * j + 3].reshape(N, 9)
                dW += dz[:, :, i, j].T @ win
        self.W.grad = dW.reshape(self.W.shape)
        self.b.grad = dz.sum((0, 2, 3))
        return loss
    """,
    ),
    program(
        "gated causal taps with a dilation",
        DILATED,
        """
        n, c, T = x.shape
        pad = torch.cat([torch.zeros(n, c, 4), x], dim=2)
        a = torch.zeros_like(y)
        s = torch.zeros_like(y)
        for i in range(3):
            tap = pad[:, :, 2 * i : 2 * i + T]
            a += torch.einsum("kc,nct->nkt", self.w[:, :, i], tap)
            s += torch.einsum("kc,nct->nkt", self.g[:, :, i], tap)
        f, gate = torch.tanh(a), torch.sigmoid(s)
        del a, s
        diff = f * gate - y
        loss = (diff ** 2).mean()
        dout = 2 * diff / y.numel()
        del diff
        da = dout * gate * (1 - f ** 2)
        ds = dout * f * gate * (1 - gate)
        del dout, f, gate
        dw, dg = torch.zeros_like(self.w), torch.zeros_like(self.g)
        for i in range(3):
            tap = pad[:, :, 2 * i : 2 * i + T]
            dw[:, :, i] = torch.einsum("nkt,nct->kc", da, tap)
            dg[:, :, i] = torch.einsum("nkt,nct->kc", ds, tap)
        self.w.grad = dw
        self.g.grad = dg
        return loss
    """,
    ),
    program(
        "average pool of scaled channels",
        AVERAGE,
        """
        n, c, H, W = x.shape
        k = self.W.shape[0]
        scale, shift = self.s.view(1, c, 1, 1), self.t.view(1, c, 1, 1)
        z = x * scale + shift
        sp = torch.log1p(torch.exp(z))
        pooled = sp.view(n, c, H // 2, 2, W // 2, 2).mean(dim=(3, 5))
        feats = pooled.reshape(n, -1)
        err = F.linear(feats, self.W) - y
        loss = err.square().sum(1).mean()
        derr = 2 * err / n
        self.W.grad = derr.T @ feats
        dpooled = (derr @ self.W).view(pooled.shape)
        dsp = dpooled.repeat_interleave(2, dim=2).repeat_interleave(2, dim=3) / 4
        dz = dsp * torch.sigmoid(z)
        self.s.grad = (dz * x).sum((0, 2, 3))
        self.t.grad = dz.sum((0, 2, 3))
        return loss
    """,
    ),
    program(
        "keypoints by a spatial softmax",
        KEYPOINTS,
        """
        n, c, h, w = x.shape
        flat = x.reshape(n, c, h * w)
        heat = torch.einsum("kc,ncs->nks", self.W, flat)
        prob = torch.softmax(self.beta * heat, dim=-1)
        rows = torch.arange(h).repeat_interleave(w).to(x.dtype)
        cols = torch.arange(w).repeat(h).to(x.dtype)
        grid = torch.stack([rows, cols], dim=1)
        rows = cols = None
        at = prob @ grid
        off = at - y
        at = None
        loss = (off ** 2).sum(-1).mean()
        n_k = off.shape[0] * off.shape[1]
        d_at = 2 * off / n_k
        off = None
        d_prob = d_at @ grid.T
        d_at = grid = None
        inner = (prob * d_prob).sum(-1, keepdim=True)
        d_logit = prob * (d_prob - inner)
        inner = d_prob = prob = None
        self.beta.grad = (d_logit * heat).sum()
        heat = None
        d_heat = self.beta * d_logit
        d_logit = None
        self.W.grad = torch.einsum("nks,ncs->kc", d_heat, flat)
        return loss
    """,
    ),
    program(
        "pixels by shuffling channels",
        SHUFFLE,
        """
        n, c, H, W = x.shape
        px = x.permute(0, 2, 3, 1).reshape(-1, c)
        z = px @ self.W.T + self.b
        up = z.reshape(n, H, W, 2, 2).permute(0, 1, 3, 2, 4).reshape(n, 1, 2 * H, 2 * W)
        img = torch.sigmoid(up)
        diff = img - y
        loss = diff.abs().mean()
        gimg = diff.sign() / diff.numel()
        del z, up, diff
        gup = gimg * img * (1 - img)
        gz = gup.reshape(n, H, 2, W, 2).permute(0, 1, 3, 2, 4).reshape(-1, 4)
        self.W.grad = gz.T @ px
        del img, gup, px
        self.b.grad = gz.sum(dim=0)
        return loss
    """,
    ),
    program(
        "convolution in two groups",
        GROUPS,
        """
        n = x.shape[0]
        z = torch.zeros(n, 2, 2, 2)
        for g in range(2):
            part = x[:, 2 * g : 2 * g + 2]
            for i in range(2):
                for j in range(2):
                    window = part[:, :, i : i + 2, j : j + 2]
                    z[:, g, i, j] = (window * self.w[g]).sum(dim=(1, 2, 3))
        hard = z.clamp(-1, 1)
        pred = (hard * self.v).sum(dim=(1, 2, 3))
        e = pred - y
        loss = (e ** 2).mean()
        dpred = 2 * e / n
        dv = (dpred.view(n, 1, 1, 1) * hard).sum(dim=0)
        dz = dpred.view(n, 1, 1, 1) * self.v * (z.abs() < 1)
        dw = torch.zeros_like(self.w)
        for g in range(2):
            part = x[:, 2 * g : 2 * g + 2]
            for i in range(2):
                for j in range(2):
                    window = part[:, :, i : i + 2, j : j + 2]
                    dw[g] += (dz[:, g, i, j].view(n, 1, 1, 1) * window).sum(dim=0)
        self.w.grad = dw
        self.v.grad = dv
        return loss
    """,
    ),
    program(
        "windows with weights of their own",
        LOCALLY,
        """
        n, m = x.shape
        L, _, k = self.W.shape
        wins = torch.stack([x[:, i : i + 3] for i in range(L)], dim=1)
        z = (wins.unsqueeze(2) @ self.W).squeeze(2) + self.b
        a = torch.relu(z)
        best, where = a.max(dim=1)
        r = best @ self.v - y
        loss = r @ r
        dr = 2 * r
        self.v.grad = best.T @ dr
        dbest = dr.unsqueeze(1) * self.v.unsqueeze(0)
        da = torch.zeros_like(a)
        da.scatter_(1, where.unsqueeze(1), dbest.unsqueeze(1))
        dz = da * (z > 0)
        self.b.grad = dz.sum(dim=0)
        self.W.grad = torch.einsum("nli,nlk->lik", wins, dz)
        return loss
    """,
    ),
    program(
        "total variation",
        DENOISE,
        """
        lam = self.loglam.exp()
        base = self.u[:-1, :-1]
        down = self.u[1:, :-1] - base
        right = self.u[:-1, 1:] - base
        norm = torch.sqrt(down ** 2 + right ** 2 + 0.1)
        tv = norm.sum()
        m2 = mask * mask
        gap = self.u - noisy
        loss = 0.5 * (m2 * gap * gap).sum() + lam * tv - self.loglam
        g = m2 * gap
        gdown = lam * down / norm
        gright = lam * right / norm
        g[1:, :-1] += gdown
        g[:-1, 1:] += gright
        g[:-1, :-1] -= gdown + gright
        self.u.grad = g
        self.loglam.grad = lam * tv - 1
        return loss
    """,
    ),
)
