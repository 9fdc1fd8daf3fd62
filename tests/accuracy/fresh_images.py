"""Right passes on images, as others than the search's author write them: loops over windows."""

from tensor_programs import program

SPATIAL_BATCHNORM = """
def v1(
    x: Float[Tensor, "N C H W"], dout: Float[Tensor, "N C H W"], *,
    scale: Float[Tensor, "C"], gamma: Float[Tensor, "C"], beta: Float[Tensor, "C"],
):
    h = torch.tanh(x * scale[:, None, None])
    var, mean = torch.var_mean(h, (0, 2, 3), unbiased=False, keepdim=True)
    out = (h - mean) / (var + 0.01).sqrt() * gamma[:, None, None] + beta[:, None, None]
    return (out * dout).sum()
"""
CONV = """
def v1(
    x: Float[Tensor, "N C 3 4"], dout: Float[Tensor, "N K 3 4"], *,
    w: Float[Tensor, "K C 3 3"], b: Float[Tensor, "K"],
):
    return (torch.relu(F.conv2d(x, w, b, padding=1)) * dout).sum()
"""
CONV_STRIDE = """
def v1(
    x: Float[Tensor, "N 1 6 5"], y: Float[Tensor, "N K"], *,
    w1: Float[Tensor, "C 1 2 2"], w2: Float[Tensor, "K C 2 2"],
):
    a = torch.tanh(F.conv2d(x, w1, stride=2))
    return F.mse_loss(F.conv2d(a, w2).mean((2, 3)), y)
"""
MAX_POOL = """
BELOW = {"y": "c"}
def v1(
    x: Float[Tensor, "N 4 6"], y: Int[Tensor, "N"], *,
    k: Float[Tensor, "F 1 1"], W: Float[Tensor, "F*6 c"], b: Float[Tensor, "c"],
):
    maps = torch.sin(x[:, None] * k)
    return F.cross_entropy(F.max_pool2d(maps, 2).flatten(1) @ W + b, y)
"""
OVERLAPPING_POOL = """
def v1(x: Float[Tensor, "N C 4 5"], dout: Float[Tensor, "N C 3 2"], *, g: Float[Tensor, "C 4 5"]):
    return (F.max_pool2d(x * g, (2, 3), stride=(1, 2)) * dout).sum()
"""
IMAGES = (
    program(
        "spatial batchnorm",
        SPATIAL_BATCHNORM,
        """
        N, C, H, W = x.shape
        act = torch.tanh(x * self.scale.view(1, C, 1, 1))
        flat = act.permute(0, 2, 3, 1).reshape(-1, C)
        M = flat.shape[0]
        inv_std = 1 / (flat.var(dim=0, unbiased=False) + 0.01).sqrt()
        xhat = (flat - flat.mean(dim=0)) * inv_std
        out = (xhat * self.gamma + self.beta).reshape(N, H, W, C).permute(0, 3, 1, 2)
        loss = (out * dout).sum()
        dflat = dout.permute(0, 2, 3, 1).reshape(-1, C)
        self.beta.grad = dflat.sum(dim=0)
        self.gamma.grad = (dflat * xhat).sum(dim=0)
        dxhat = dflat * self.gamma
        dx = (M * dxhat - dxhat.sum(dim=0) - xhat * (dxhat * xhat).sum(dim=0)) * inv_std / M
        dact = dx.reshape(N, H, W, C).permute(0, 3, 1, 2)
        self.scale.grad = (dact * (1 - act ** 2) * x).sum(dim=(0, 2, 3))
        return loss
        """,
    ),
    program(
        "convolution by windows",
        CONV,
        """
        N, C, H, W = x.shape
        K, _, HH, WW = self.w.shape
        xp = F.pad(x, (1, 1, 1, 1))
        out = torch.zeros(N, K, H, W, dtype=x.dtype)
        for i in range(H):
            for j in range(W):
                window = xp[:, :, i:i + HH, j:j + WW].reshape(N, -1)
                out[:, :, i, j] = window @ self.w.reshape(K, -1).t() + self.b
        loss = (out.clamp(min=0) * dout).sum()
        da = dout * (out > 0)
        self.b.grad = da.sum(dim=(0, 2, 3))
        dw = torch.zeros_like(self.w)
        for i in range(H):
            for j in range(W):
                window = xp[:, :, i:i + HH, j:j + WW]
                step = da[:, :, i, j]
                dw += (step.t() @ window.reshape(N, -1)).view(K, C, HH, WW)
        self.w.grad = dw
        return loss
        """,
    ),
    program(
        "two convolutions",
        CONV_STRIDE,
        """
        N, C, K = x.shape[0], self.w1.shape[0], self.w2.shape[0]
        z = torch.zeros(N, C, 3, 2, dtype=x.dtype)
        for i in range(3):
            for j in range(2):
                patch = x[:, :, 2 * i:2 * i + 2, 2 * j:2 * j + 2]
                z[:, :, i, j] = torch.einsum("nchw,kchw->nk", patch, self.w1)
        a = torch.tanh(z)
        out = sum(torch.einsum("nchw,kchw->nk", a[:, :, i:i + 2], self.w2) for i in range(2)) / 2
        loss = (out - y).pow(2).mean()
        dout = 2 * (out - y) / (N * K) / 2
        dw2 = torch.zeros_like(self.w2)
        da = torch.zeros_like(a)
        for i in range(2):
            dw2 += torch.einsum("nk,nchw->kchw", dout, a[:, :, i:i + 2])
            da[:, :, i:i + 2] += torch.einsum("nk,kchw->nchw", dout, self.w2)
        dz = da * (1 - a * a)
        dw1 = torch.zeros_like(self.w1)
        for i in range(3):
            for j in range(2):
                patch = x[:, :, 2 * i:2 * i + 2, 2 * j:2 * j + 2]
                dw1 += torch.einsum("nk,nchw->kchw", dz[:, :, i, j], patch)
        self.w1.grad = dw1
        self.w2.grad = dw2
        return loss
        """,
    ),
    program(
        "max pool with masks",
        MAX_POOL,
        """
        N, num_filters = x.shape[0], self.k.shape[0]
        pre = x.unsqueeze(1) * self.k
        maps = torch.sin(pre)
        pooled = torch.zeros(N, num_filters, 2, 3, dtype=x.dtype)
        for i in range(2):
            for j in range(3):
                window = maps[:, :, i * 2:i * 2 + 2, j * 2:j * 2 + 2]
                pooled[:, :, i, j] = window.amax(dim=(2, 3))
        flat = pooled.view(N, -1)
        scores = flat @ self.W + self.b
        probs = torch.softmax(scores, dim=1)
        loss = -torch.log(probs[torch.arange(N), y]).mean()
        dscores = (probs - F.one_hot(y, probs.shape[1])) / N
        self.W.grad = flat.T @ dscores
        self.b.grad = dscores.sum(0)
        dpooled = (dscores @ self.W.T).view(pooled.shape)
        dmaps = torch.zeros_like(maps)
        for i in range(2):
            for j in range(3):
                window = maps[:, :, i * 2:i * 2 + 2, j * 2:j * 2 + 2]
                mask = window == pooled[:, :, i, j][:, :, None, None]
                dwindow = mask * dpooled[:, :, i, j][:, :, None, None]
                dmaps[:, :, i * 2:i * 2 + 2, j * 2:j * 2 + 2] = dwindow
        dk = dmaps * torch.cos(pre) * x.unsqueeze(1)
        self.k.grad = dk.sum(dim=(0, 2, 3)).view(-1, 1, 1)
        return loss
        """,
    ),
    program(
        "max pool that overlaps",
        OVERLAPPING_POOL,
        """
        N, C, H, W = x.shape
        HP, WP, SH, SW = 2, 3, 1, 2
        a = x * self.g
        out = torch.empty_like(dout)
        da = torch.zeros_like(a)
        for i in range(dout.shape[2]):
            for j in range(dout.shape[3]):
                rows, cols = slice(i * SH, i * SH + HP), slice(j * SW, j * SW + WP)
                win = a[:, :, rows, cols].reshape(N, C, -1)
                best = win.max(dim=2, keepdim=True).values
                out[:, :, i, j] = best.squeeze(2)
                hot = (win == best) * dout[:, :, i, j].unsqueeze(-1)
                da[:, :, rows, cols] += hot.view(N, C, HP, WP)
        self.g.grad = (da * x).sum(dim=0)
        return (out * dout).sum()
        """,
    ),
)
