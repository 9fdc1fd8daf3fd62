"""Right passes on tensors by an author who has not seen the search: signals and images."""

from tensor_programs import program

IM2COL = """
BELOW = {"y": "k"}
SIZES = {"H": (3, 4), "W": (3, 5), "C": (1, 2), "k": (2, 4)}
def v1(
    img: Float[Tensor, "N C H W"], y: Int[Tensor, "N"], *,
    filters: Float[Tensor, "f C 2 2"], fb: Float[Tensor, "f"], fc: Float[Tensor, "k f"],
):
    pooled = torch.relu(F.conv2d(img, filters, fb)).mean(dim=(2, 3))
    return F.cross_entropy(pooled @ fc.t(), y)
"""
CONV1D = """
SIZES = {"L": (4, 6), "ci": (1, 3)}
def v1(
    x: Float[Tensor, "n ci 2*L"], dout: Float[Tensor, "n co L-1"], *,
    w: Float[Tensor, "co ci 3"], b: Float[Tensor, "co"],
):
    return (F.avg_pool1d(torch.tanh(F.conv1d(x, w, b)), 2) * dout).sum()
"""
NAIVE = """
SIZES = {"n": (1, 2), "C": (1, 2), "H": (3, 4), "W": (3, 4), "K": (1, 2)}
def v1(
    x: Float[Tensor, "n C H W"], target: Float[Tensor, "n K H W"], *,
    w: Float[Tensor, "K C 3 3"], b: Float[Tensor, "K"],
):
    return 0.5 * ((F.conv2d(x, w, b, padding=1) - target) ** 2).mean()
"""
POOLED = """
RANGES = {"t": ((0, 1),)}
SIZES = {"c": (1, 3), "m": (1, 2), "o": (1, 3)}
def v1(
    x: Float[Tensor, "n c 2*m 2*m"], t: Float[Tensor, "n"], *,
    w: Float[Tensor, "o c"], b: Float[Tensor, "o"], head: Float[Tensor, "o*m*m"],
):
    maps = torch.einsum("nchw,oc->nohw", x, w) + b[:, None, None]
    flat = F.max_pool2d(maps, 2).flatten(1)
    return F.binary_cross_entropy_with_logits(flat @ head, t)
"""
SEPARABLE = """
SIZES = {"n": (1, 3), "c": (1, 3), "h": (2, 4), "w": (2, 4)}
def v1(
    x: Float[Tensor, "n c h w"], dout: Float[Tensor, "n o h w"], *,
    depth: Float[Tensor, "c 3 3"], point: Float[Tensor, "o c"],
):
    mid = F.conv2d(x, depth[:, None], padding=1, groups=x.shape[1])
    return (torch.einsum("nchw,oc->nohw", F.silu(mid), point) * dout).sum()
"""
UPSAMPLED = """
SIZES = {"n": (1, 3), "h": (1, 2), "w": (2, 3), "k": (1, 3)}
def v1(
    code: Float[Tensor, "n z"], img: Float[Tensor, "n 2*h 2*w"], *,
    dec: Float[Tensor, "z k*h*w"], mix: Float[Tensor, "k"], b: Float[Tensor, ""],
):
    n, height, width = img.shape
    maps = torch.relu(code @ dec).view(n, -1, height // 2, width // 2)
    large = F.interpolate(maps, scale_factor=2, mode="nearest")
    return F.mse_loss(torch.sigmoid(torch.einsum("nkhw,k->nhw", large, mix) + b), img)
"""
VISION = (
    program(
        "im2col and global average",
        IM2COL,
        """
        N, C, H, W = img.shape
        f = self.filters.shape[0]
        cols = F.unfold(img, kernel_size=2)
        w_row = self.filters.view(f, -1)
        conv = w_row @ cols + self.fb.view(1, -1, 1)
        P = conv.shape[2]
        relu = conv.clamp(min=0)
        pooled = relu.sum(dim=2) / P
        del relu
        logits = pooled @ self.fc.t()
        probs = torch.softmax(logits, dim=1)
        del logits
        loss = -torch.log(probs[torch.arange(N), y]).mean()
        dlogits = probs.clone()
        del probs
        dlogits[torch.arange(N), y] -= 1
        dlogits /= N
        self.fc.grad = dlogits.t() @ pooled
        del pooled
        dpooled = dlogits @ self.fc
        del dlogits
        dconv = dpooled.unsqueeze(2).expand(-1, -1, P) / P
        del dpooled
        dconv = dconv * (conv > 0)
        del conv
        self.fb.grad = dconv.sum(dim=(0, 2))
        dw = torch.bmm(dconv, cols.transpose(1, 2)).sum(dim=0)
        del cols, dconv
        self.filters.grad = dw.view(f, C, 2, 2)
        return loss
        """,
    ),
    program(
        "conv1d, a tap at a time",
        CONV1D,
        """
        n, ci, length = x.shape
        out_len = length - 2
        pre = self.b[:, None].repeat(n, 1, out_len)
        for k in range(3):
            pre = pre + torch.einsum('oc,ncl->nol', self.w[:, :, k], x[:, :, k:k + out_len])
        act = torch.tanh(pre)
        pooled = (act[:, :, 0::2] + act[:, :, 1::2]) / 2
        loss = (pooled * dout).sum()
        dact = torch.zeros_like(act)
        dact[:, :, 0::2] = dout / 2
        dact[:, :, 1::2] = dout / 2
        dpre = dact * (1 - act ** 2)
        dw = torch.zeros_like(self.w)
        for k in range(3):
            dw[:, :, k] = torch.einsum('nol,ncl->oc', dpre, x[:, :, k:k + out_len])
        self.w.grad = dw
        self.b.grad = dpre.sum((0, 2))
        return loss
        """,
    ),
    program(
        "naive convolution",
        NAIVE,
        """
        n, C, H, W = x.shape
        K = self.w.shape[0]
        xpad = torch.nn.functional.pad(x, (1, 1, 1, 1))
        out = torch.zeros(n, K, H, W, dtype=x.dtype)
        for i in range(n):
            for k in range(K):
                for r in range(H):
                    for s in range(W):
                        window = xpad[i, :, r:r + 3, s:s + 3]
                        out[i, k, r, s] = (window * self.w[k]).sum() + self.b[k]
        err = out - target
        del out
        loss = 0.5 * (err ** 2).mean()
        dout = err / err.numel()
        del err
        dw = torch.zeros_like(self.w)
        db = torch.zeros_like(self.b)
        for i in range(n):
            for k in range(K):
                db[k] += dout[i, k].sum()
                for r in range(H):
                    for s in range(W):
                        dw[k] += dout[i, k, r, s] * xpad[i, :, r:r + 3, s:s + 3]
        self.w.grad = dw
        self.b.grad = db
        return loss
        """,
    ),
    program(
        "max pool by reshape",
        POOLED,
        """
        n, c, h, w = x.shape
        maps = (x.permute(0, 2, 3, 1) @ self.w.T + self.b).permute(0, 3, 1, 2)
        tiles = maps.reshape(n, -1, h // 2, 2, w // 2, 2).transpose(3, 4).flatten(4)
        top, where = tiles.max(dim=-1)
        flat = top.flatten(1)
        logit = flat @ self.head
        loss = F.softplus(logit).sub(t * logit).mean()
        dlogit = (torch.sigmoid(logit) - t) / n
        self.head.grad = flat.T @ dlogit
        dtop = torch.outer(dlogit, self.head).reshape(top.shape)
        dtiles = F.one_hot(where, 4) * dtop.unsqueeze(-1)
        dtiles = dtiles.unflatten(4, (2, 2)).transpose(3, 4)
        dmaps = dtiles.reshape(n, -1, h, w)
        self.b.grad = dmaps.sum(dim=(0, 2, 3))
        self.w.grad = torch.tensordot(dmaps, x, dims=([0, 2, 3], [0, 2, 3]))
        return loss
        """,
    ),
    program(
        "separable convolution by shifts",
        SEPARABLE,
        """
        n, c, h, w = x.shape
        padded = F.pad(x, (1, 1, 1, 1))
        shifts = [(i, j) for i in range(3) for j in range(3)]
        mid = sum(self.depth[:, i, j].view(1, c, 1, 1) * padded[:, :, i:i + h, j:j + w]
                  for i, j in shifts)
        s = torch.sigmoid(mid)
        act = mid * s
        y = torch.einsum('oc,nchw->nohw', self.point, act)
        loss = (y * dout).sum()
        self.point.grad = torch.einsum('nohw,nchw->oc', dout, act)
        dact = torch.einsum('nohw,oc->nchw', dout, self.point)
        dmid = dact * (s + act * (1 - s))
        ddepth = torch.empty_like(self.depth)
        for i, j in shifts:
            ddepth[:, i, j] = (dmid * padded[:, :, i:i + h, j:j + w]).sum((0, 2, 3))
        self.depth.grad = ddepth
        return loss
        """,
    ),
    program(
        "decoder that repeats its pixels",
        UPSAMPLED,
        """
        n, H, W = img.shape
        flat = torch.mm(code, self.dec)
        maps = F.relu(flat).reshape(n, -1, H // 2, W // 2)
        big = maps.repeat_interleave(2, dim=2).repeat_interleave(2, dim=3)
        del maps
        pred = torch.sigmoid((big * self.mix.view(1, -1, 1, 1)).sum(1) + self.b)
        loss = ((pred - img) ** 2).mean()
        g = 2 * (pred - img) / img.numel() * pred * (1 - pred)
        del pred
        self.b.grad = g.sum()
        self.mix.grad = (g.unsqueeze(1) * big).sum(dim=(0, 2, 3))
        del big
        g = g.reshape(n, 1, H // 2, 2, W // 2, 2).sum(dim=(3, 5))
        g = (g * self.mix.view(1, -1, 1, 1)).reshape(n, -1)
        g[flat <= 0] = 0
        del flat
        self.dec.grad = torch.mm(code.t(), g)
        return loss
        """,
    ),
)
