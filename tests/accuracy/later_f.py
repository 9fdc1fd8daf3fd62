"""Right passes on tensors by an author who has not seen the search: images, signals and pools."""

from tensor_programs import program

SIGNAL = """
def v1(
    x: Float[Tensor, "n c l"], y: Float[Tensor, "n o l"], *,
    w: Float[Tensor, "o c 3"], b: Float[Tensor, "o"],
):
    return ((F.relu(F.conv1d(x, w, b, padding=1)) - y) ** 2).mean()
"""
STRIDED = """
def v1(
    x: Float[Tensor, "n c 4 5"], y: Float[Tensor, "n f 2 2"], *,
    w: Float[Tensor, "f c 3 3"], b: Float[Tensor, "f"],
):
    return 0.5 * ((F.conv2d(x, w, b, stride=2, padding=(1, 0)) - y) ** 2).sum()
"""
CONV_POOL = """
BELOW = {"y": "k"}
def v1(
    x: Float[Tensor, "n 1 5 5"], y: Int[Tensor, "n"], *,
    w: Float[Tensor, "f 1 2 2"], b: Float[Tensor, "f"],
    fc: Float[Tensor, "4*f k"], fcb: Float[Tensor, "k"],
):
    a = F.max_pool2d(F.relu(F.conv2d(x, w, b)), 2)
    return F.cross_entropy(a.flatten(1) @ fc + fcb, y)
"""
GLOBAL = """
BELOW = {"y": "k"}
def v1(
    x: Float[Tensor, "n c 2 3"], y: Int[Tensor, "n"], *,
    w: Float[Tensor, "f c"], b: Float[Tensor, "f"], u: Float[Tensor, "k f"],
):
    z = torch.einsum("fc,nchw->nfhw", w, x) + b[:, None, None]
    return F.cross_entropy(F.softplus(z).mean((2, 3)) @ u.T, y)
"""
DEPTHWISE = """
def v1(
    x: Float[Tensor, "n c 4 4"], y: Float[Tensor, "n o 2 2"], *,
    dw: Float[Tensor, "c 1 3 3"], pw: Float[Tensor, "o c"],
):
    h = torch.tanh(F.conv2d(x, dw, groups=dw.shape[0]))
    return ((torch.einsum("oc,nchw->nohw", pw, h) - y) ** 2).sum() / x.shape[0]
"""
TRANSPOSED = """
def v1(
    z: Float[Tensor, "n c 2 2"], img: Float[Tensor, "n o 3 3"], *,
    w: Float[Tensor, "c o 2 2"], b: Float[Tensor, "o"],
):
    return ((torch.sigmoid(F.conv_transpose2d(z, w, b)) - img) ** 2).mean()
"""
TEXT = """
BELOW = {"words": "v", "y": "k"}
SIZES = {"t": (3, 4), "e": (1, 3)}
def v1(
    words: Int[Tensor, "n t"], y: Int[Tensor, "n"], tilt: Float[Tensor, "k"], *,
    emb: Float[Tensor, "v e"], conv: Float[Tensor, "f e 2"], out: Float[Tensor, "k f"],
):
    h = F.conv1d(emb[words].transpose(1, 2), conv)
    return F.cross_entropy(torch.tanh(h).amax(2) @ out.T + tilt, y)
"""
SQUEEZE = """
def v1(
    x: Float[Tensor, "n c 2 2"], y: Float[Tensor, "n c 2 2"], *,
    w1: Float[Tensor, "r c"], w2: Float[Tensor, "c r"], b2: Float[Tensor, "c"],
):
    s = torch.sigmoid(F.relu(x.mean((2, 3)) @ w1.T) @ w2.T + b2)
    return ((x * s[:, :, None, None] - y) ** 2).mean()
"""

IMAGES = (
    program(
        "convolution of signals by taps",
        SIGNAL,
        """
        N, C, L = x.shape
        K = self.w.shape[2]
        padded = F.pad(x, (1, 1))
        z = self.b.view(1, -1, 1) + torch.zeros(N, 1, L)
        for k in range(K):
            z = z + torch.einsum("oc,ncl->nol", self.w[:, :, k], padded[:, :, k:k + L])
        a = torch.relu(z)
        loss = ((a - y) ** 2).mean()
        da = 2 * (a - y) / a.numel()
        dz = da * (z > 0)
        dw = torch.zeros_like(self.w)
        for k in range(K):
            dw[:, :, k] = torch.einsum("nol,ncl->oc", dz, padded[:, :, k:k + L])
        self.w.grad = dw
        self.b.grad = dz.sum(dim=(0, 2))
        return loss
        """,
    ),
    program(
        "naive strided convolution",
        STRIDED,
        """
        stride = 2
        N, C, H, W = x.shape
        nf, _, HH, WW = self.w.shape
        xp = F.pad(x, (0, 0, 1, 1))
        Ho, Wo = y.shape[2], y.shape[3]
        out = torch.zeros(N, nf, Ho, Wo)
        for i in range(Ho):
            for j in range(Wo):
                patch = xp[:, :, i * stride:i * stride + HH, j * stride:j * stride + WW]
                for f in range(nf):
                    out[:, f, i, j] = (patch * self.w[f]).sum(dim=(1, 2, 3)) + self.b[f]
        diff = out - y
        loss = 0.5 * (diff ** 2).sum()
        dout = diff
        dw = torch.zeros_like(self.w)
        db = torch.zeros_like(self.b)
        for i in range(Ho):
            for j in range(Wo):
                patch = xp[:, :, i * stride:i * stride + HH, j * stride:j * stride + WW]
                for f in range(nf):
                    g = dout[:, f, i, j]
                    dw[f] += (patch * g[:, None, None, None]).sum(dim=0)
                    db[f] += g.sum()
        self.w.grad = dw
        self.b.grad = db
        return loss
        """,
    ),
    program(
        "convolution, pool and classes",
        CONV_POOL,
        """
        N = x.shape[0]
        nf = self.w.shape[0]
        cols = F.unfold(x, 2)
        z = self.w.view(nf, -1) @ cols + self.b[:, None]
        r = torch.relu(z).view(N, nf, 4, 4)
        blocks = r.view(N, nf, 2, 2, 2, 2).transpose(3, 4).reshape(N, nf, 4, 4)
        del r
        pooled, arg = blocks.max(dim=3)
        feat = pooled.reshape(N, -1)
        del pooled
        logits = feat @ self.fc + self.fcb
        logp = F.log_softmax(logits, dim=1)
        del logits
        loss = -logp[torch.arange(N), y].mean()
        dlogits = torch.exp(logp)
        del logp
        dlogits[torch.arange(N), y] -= 1
        dlogits = dlogits / N
        self.fc.grad = feat.T @ dlogits
        del feat
        self.fcb.grad = dlogits.sum(0)
        dfeat = dlogits @ self.fc.T
        del dlogits
        dblocks = torch.zeros_like(blocks)
        del blocks
        dblocks.scatter_(3, arg.unsqueeze(3), dfeat.view(N, nf, 4, 1))
        del arg, dfeat
        dr = dblocks.view(N, nf, 2, 2, 2, 2).transpose(3, 4).reshape(N, nf, 16)
        del dblocks
        dz = dr * (z > 0)
        del dr, z
        self.b.grad = dz.sum(dim=(0, 2))
        self.w.grad = torch.einsum("nfp,nkp->fk", dz, cols).view_as(self.w)
        return loss
        """,
    ),
    program(
        "global average of pixels",
        GLOBAL,
        """
        n, c, h, w = x.shape
        pix = x.permute(0, 2, 3, 1).reshape(n * h * w, c)
        z = pix @ self.w.T + self.b
        soft = F.softplus(z)
        pooled = soft.view(n, h * w, -1).mean(1)
        scores = pooled @ self.u.T
        p = torch.softmax(scores, 1)
        hot = F.one_hot(y, scores.shape[1]).to(p.dtype)
        loss = -(hot * torch.log(p)).sum(1).mean()
        dscores = (p - hot) / n
        self.u.grad = dscores.T @ pooled
        dpooled = dscores @ self.u
        dsoft = dpooled / (h * w)
        dsoft = dsoft.repeat_interleave(h * w, dim=0)
        dz = dsoft * torch.sigmoid(z)
        self.w.grad = dz.T @ pix
        self.b.grad = dz.sum(0)
        return loss
        """,
    ),
    program(
        "depthwise, then pointwise",
        DEPTHWISE,
        """
        n = x.shape[0]
        pre = 0
        for i in range(3):
            for j in range(3):
                pre = pre + x[:, :, i:i + 2, j:j + 2] * self.dw[:, 0, i, j].view(1, -1, 1, 1)
        h = torch.tanh(pre)
        out = torch.einsum("oc,ncij->noij", self.pw, h)
        err = out - y
        loss = err.pow(2).sum() / n
        dout = 2 / n * err
        dpw = torch.einsum("noij,ncij->oc", dout, h)
        dh = torch.einsum("oc,noij->ncij", self.pw, dout)
        dpre = dh * (1 - h * h)
        ddw = torch.empty_like(self.dw)
        for i in range(3):
            for j in range(3):
                ddw[:, 0, i, j] = (dpre * x[:, :, i:i + 2, j:j + 2]).sum(dim=(0, 2, 3))
        self.dw.grad = ddw
        self.pw.grad = dpw
        return loss
        """,
    ),
    program(
        "transposed convolution",
        TRANSPOSED,
        """
        N, C, H, W = z.shape
        K = self.w.shape[2]
        canvas = torch.zeros_like(img) + self.b[None, :, None, None]
        for i in range(H):
            for j in range(W):
                stamp = torch.einsum("nc,cokl->nokl", z[:, :, i, j], self.w)
                canvas[:, :, i:i + K, j:j + K] += stamp
        pred = torch.sigmoid(canvas)
        off = pred - img
        loss = (off ** 2).mean()
        dpred = 2 * off / off.numel()
        dcanvas = dpred * pred * (1 - pred)
        self.b.grad = dcanvas.sum(dim=(0, 2, 3))
        dw = torch.zeros_like(self.w)
        for i in range(H):
            for j in range(W):
                window = dcanvas[:, :, i:i + K, j:j + K]
                dw += torch.einsum("nc,nokl->cokl", z[:, :, i, j], window)
        self.w.grad = dw
        return loss
        """,
    ),
    program(
        "text convolution",
        TEXT,
        """
        n, T = words.shape
        e = self.emb[words]
        pairs = torch.cat([e[:, :-1], e[:, 1:]], dim=2)
        kernel = torch.cat([self.conv[:, :, 0], self.conv[:, :, 1]], dim=1)
        act = torch.tanh(pairs @ kernel.T)
        best, where = act.max(dim=1)
        logits = best @ self.out.T + tilt
        lse = torch.logsumexp(logits, dim=1)
        loss = (lse - logits[torch.arange(n), y]).mean()
        dlogits = torch.exp(logits - lse[:, None])
        logits = lse = None
        dlogits[torch.arange(n), y] -= 1
        dlogits /= n
        self.out.grad = dlogits.T @ best
        best = None
        dbest = dlogits @ self.out
        dlogits = None
        dact = torch.zeros_like(act).scatter_(1, where[:, None, :], dbest[:, None, :])
        where = dbest = None
        dpre = dact * (1 - act ** 2)
        act = dact = None
        dkernel = torch.einsum("ntf,ntk->fk", dpre, pairs)
        pairs = None
        dpairs = dpre @ kernel
        dpre = kernel = None
        d = e.shape[2]
        e = None
        self.conv.grad = torch.stack([dkernel[:, :d], dkernel[:, d:]], dim=2)
        dkernel = None
        demb = torch.zeros_like(self.emb)
        demb.index_add_(0, words[:, :-1].reshape(-1), dpairs[:, :, :d].reshape(-1, d))
        demb.index_add_(0, words[:, 1:].reshape(-1), dpairs[:, :, d:].reshape(-1, d))
        dpairs = None
        self.emb.grad = demb
        return loss
        """,
    ),
    program(
        "squeeze and excitation",
        SQUEEZE,
        """
        N, C, H, W = x.shape
        squeezed = x.sum(dim=(2, 3)) / (H * W)
        z1 = squeezed @ self.w1.T
        a1 = z1.clamp(min=0)
        z2 = a1 @ self.w2.T + self.b2
        gate = torch.sigmoid(z2)
        scaled = x * gate[:, :, None, None]
        err = scaled - y
        loss = (err * err).mean()
        dscaled = 2 * err / err.numel()
        del z2, scaled, err
        dgate = (dscaled * x).sum(dim=(2, 3))
        dz2 = dgate * gate * (1 - gate)
        self.b2.grad = dz2.sum(0)
        self.w2.grad = dz2.T @ a1
        del gate, dgate, a1
        da1 = dz2 @ self.w2
        dz1 = da1.clone()
        dz1[z1 <= 0] = 0
        del dz2, da1, z1
        self.w1.grad = dz1.T @ squeezed
        return loss
        """,
    ),
)
