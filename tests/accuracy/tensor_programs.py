"""Right passes on tensors, written as students write them: what one-fault passes are made of."""

from __future__ import annotations

import re
import textwrap
from typing import NamedTuple


class TensorProgram(NamedTuple):
    """A task, and the body of a right pass for it; the weights are read from `self`."""

    name: str
    task: str
    body: str

    @property
    def weights(self) -> dict[str, int]:
        """The weights of the task with their numbers of dimensions."""
        after = self.task.partition("*,")[2]
        found = re.findall(r'(\w+): Float\[Tensor, "([^"]*)"\]', after)
        return {name: len(dims.split()) for name, dims in found}

    @property
    def inputs(self) -> list[str]:
        """The names of the inputs."""
        before = self.task.partition("def v")[2].partition("*,")[0]
        return re.findall(r"(\w+): (?:Float|Int)", before)

    @property
    def labels(self) -> list[str]:
        """The names of the inputs that are integers: labels and places."""
        return [name for name in self.inputs if f"{name}: Int[" in self.task]

    def submission(self, body: str | None = None) -> str:
        """The file of a student whose pass is the body, or another."""
        shown = ", ".join(self.inputs)
        expression = self.task.partition("):\n")[2]
        forward = re.sub(rf"\b({'|'.join(self.weights)})\b", r"self.\1", expression)
        made = "\n".join(
            f"        self.{name} = nn.Parameter(torch.randn({[2] * dims}))"
            for name, dims in self.weights.items()
        )
        return (
            "import math\n\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n\n\n"
            f"class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n{made}\n\n"
            f"    def forward(self, {shown}):\n{textwrap.indent(forward, '    ')}\n\n"
            f"    def my_forward_backward(self, {shown}):\n"
            f"{textwrap.indent((body or self.body).strip(chr(10)), '        ')}\n"
        )


def program(name: str, task: str, body: str) -> TensorProgram:
    """A program of texts that are indented as it suits."""
    return TensorProgram(name, textwrap.dedent(task).strip() + "\n", textwrap.dedent(body).strip())


LINEAR = """
def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n c"], *, w: Float[Tensor, "d c"], b: Float[Tensor, "c"]):
    return ((x @ w + b - y) ** 2).mean()
"""
TWO_LAYERS = """
def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n c"], *, w1: Float[Tensor, "d h"], b1: Float[Tensor, "h"], w2: Float[Tensor, "h c"], b2: Float[Tensor, "c"]):
    return ((torch.relu(x @ w1 + b1) @ w2 + b2 - y) ** 2).sum() / x.shape[0]
"""
SOFTMAX = """
BELOW = {"y": "c"}
def v1(x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *, w: Float[Tensor, "d c"], b: Float[Tensor, "c"]):
    return F.cross_entropy(x @ w + b, y)
"""
NET = """
BELOW = {"y": "c"}
def v1(x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *, w1: Float[Tensor, "d h"], b1: Float[Tensor, "h"], w2: Float[Tensor, "h c"], b2: Float[Tensor, "c"]):
    return F.cross_entropy(torch.relu(x @ w1 + b1) @ w2 + b2, y)
"""
NET_L2 = """
BELOW = {"y": "c"}
def v1(x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *, w1: Float[Tensor, "d h"], b1: Float[Tensor, "h"], w2: Float[Tensor, "h c"], b2: Float[Tensor, "c"]):
    return F.cross_entropy(torch.tanh(x @ w1 + b1) @ w2 + b2, y) + 0.1 * (w1 ** 2).sum() + 0.1 * (w2 ** 2).sum()
"""
BATCHNORM = """
def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n k"], *, w: Float[Tensor, "d k"], gamma: Float[Tensor, "k"], beta: Float[Tensor, "k"]):
    return ((gamma * ((x @ w) - (x @ w).mean(0)) / torch.sqrt((x @ w).var(0, unbiased=False) + 0.1) + beta - y) ** 2).mean()
"""
LAYERNORM = """
def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n k"], *, w: Float[Tensor, "d k"], gamma: Float[Tensor, "k"], beta: Float[Tensor, "k"]):
    return ((F.layer_norm(x @ w, (w.shape[1],), gamma, beta, 0.1) - y) ** 2).sum()
"""
ATTENTION = """
def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n e"], *, wq: Float[Tensor, "d k"], wk: Float[Tensor, "d k"], wv: Float[Tensor, "d e"]):
    return ((torch.softmax((x @ wq) @ (x @ wk).T / wq.shape[1] ** 0.5, 1) @ (x @ wv) - y) ** 2).mean()
"""
CAUSAL = """
def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n e"], *, wq: Float[Tensor, "d k"], wk: Float[Tensor, "d k"], wv: Float[Tensor, "d e"]):
    return ((torch.softmax(((x @ wq) @ (x @ wk).T / wq.shape[1] ** 0.5).masked_fill(torch.ones(x.shape[0], x.shape[0]).triu(1) > 0, -1e9), 1) @ (x @ wv) - y) ** 2).sum()
"""
RNN = """
def v1(x1: Float[Tensor, "n d"], x2: Float[Tensor, "n d"], h0: Float[Tensor, "n h"], y: Float[Tensor, "n h"], *, wx: Float[Tensor, "d h"], wh: Float[Tensor, "h h"], b: Float[Tensor, "h"]):
    return ((torch.tanh(x2 @ wx + torch.tanh(x1 @ wx + h0 @ wh + b) @ wh + b) - y) ** 2).mean()
"""
EMBEDDING = """
BELOW = {"i": "v", "y": "c"}
def v1(i: Int[Tensor, "n 2"], y: Int[Tensor, "n"], s: Float[Tensor, "n"], *, e: Float[Tensor, "v d"], w: Float[Tensor, "d c"]):
    return F.cross_entropy(s[:, None] * (e[i].sum(1) @ w), y)
"""
CONV = """
def v1(x: Float[Tensor, "n c 5 4"], y: Float[Tensor, "n k 3 2"], *, w: Float[Tensor, "k c 3 3"], b: Float[Tensor, "k"]):
    return ((F.conv2d(x, w, b) - y) ** 2).sum() / x.shape[0]
"""
LOGISTIC = """
def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n"], *, w: Float[Tensor, "d"], b: Float[Tensor, ""]):
    return (F.softplus(x @ w + b) - y * (x @ w + b)).mean()
"""
HINGE = """
BELOW = {"y": "c"}
def v1(x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *, w: Float[Tensor, "d c"]):
    return (torch.clamp(x @ w - (x @ w)[torch.arange(x.shape[0]), y][:, None] + 1, min=0).sum() - x.shape[0]) / x.shape[0] + 0.5 * (w * w).sum()
"""
GATED = """
def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n h"], *, wa: Float[Tensor, "d h"], wg: Float[Tensor, "d h"], b: Float[Tensor, "h"]):
    return ((torch.tanh(x @ wa) * torch.sigmoid(x @ wg + b) - y) ** 2).mean()
"""
RESIDUAL = """
def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n d"], *, w1: Float[Tensor, "d d"], b1: Float[Tensor, "d"], w2: Float[Tensor, "d d"]):
    return ((x + torch.relu(x @ w1 + b1) + torch.relu((x + torch.relu(x @ w1 + b1)) @ w2) - y) ** 2).mean()
"""
LSTM = """
def v1(x: Float[Tensor, "n d"], h0: Float[Tensor, "n h"], c0: Float[Tensor, "n h"], y: Float[Tensor, "n h"], *, wi: Float[Tensor, "d h"], wf: Float[Tensor, "d h"], wo: Float[Tensor, "d h"], wg: Float[Tensor, "d h"], b: Float[Tensor, "h"]):
    return ((torch.sigmoid(x @ wo + h0) * torch.tanh(torch.sigmoid(x @ wf + b) * c0 + torch.sigmoid(x @ wi) * torch.tanh(x @ wg)) - y) ** 2).mean()
"""
UNIT = """
def v1(x: Float[Tensor, "n d"], y: Float[Tensor, "n k"], *, w: Float[Tensor, "d k"]):
    return ((x @ w / torch.sqrt(((x @ w) ** 2).sum(1, keepdim=True) + 0.1) - y) ** 2).sum()
"""
TUNING = (
    program("linear", LINEAR, """
        n, c = y.shape
        z = x @ self.w + self.b
        off = z - y
        loss = (off ** 2).mean()
        dz = 2 * off / (n * c)
        self.w.grad = x.T @ dz
        self.b.grad = dz.sum(0)
        return loss
    """),
    program("two layers", TWO_LAYERS, """
        n = x.shape[0]
        z = x @ self.w1 + self.b1
        h = z.relu()
        out = h @ self.w2 + self.b2
        off = out - y
        loss = (off ** 2).sum() / n
        dout = 2 * off
        dout = dout / n
        self.w2.grad = h.T @ dout
        self.b2.grad = dout.sum(0)
        dh = dout @ self.w2.T
        dz = dh * (z > 0)
        self.w1.grad = x.T @ dz
        self.b1.grad = dz.sum(0)
        return loss
    """),
    program("softmax", SOFTMAX, """
        n = x.shape[0]
        s = x @ self.w + self.b
        s = s - s.max(dim=1, keepdim=True).values
        e = s.exp()
        p = e / e.sum(dim=1, keepdim=True)
        rows = torch.arange(n)
        loss = -p[rows, y].log().mean()
        ds = p.clone()
        ds[rows, y] -= 1
        ds = ds / n
        self.w.grad = x.T @ ds
        self.b.grad = ds.sum(0)
        return loss
    """),
    program("net", NET, """
        n = y.shape[0]
        z1 = x @ self.w1 + self.b1
        a1 = torch.clamp(z1, min=0)
        scores = a1 @ self.w2 + self.b2
        shifted = scores - scores.max(1, keepdim=True).values
        logp = shifted - shifted.exp().sum(1, keepdim=True).log()
        hot = F.one_hot(y, scores.shape[1])
        loss = -(hot * logp).sum() / n
        dscores = (logp.exp() - hot) / n
        self.w2.grad = a1.T @ dscores
        self.b2.grad = dscores.sum(0)
        da1 = dscores @ self.w2.T
        da1[z1 <= 0] = 0
        self.w1.grad = x.T @ da1
        self.b1.grad = da1.sum(0)
        return loss
    """),
    program("batchnorm staged", BATCHNORM, """
        n, k = y.shape
        z = x @ self.w
        mu = z.mean(0)
        c = z - mu
        var = (c ** 2).mean(0)
        std = torch.sqrt(var + 0.1)
        xhat = c / std
        out = self.gamma * xhat + self.beta
        off = out - y
        loss = (off ** 2).mean()
        dout = 2 * off / (n * k)
        self.beta.grad = dout.sum(0)
        self.gamma.grad = (dout * xhat).sum(0)
        dxhat = dout * self.gamma
        dc = dxhat / std
        dstd = -(dxhat * c).sum(0) / std ** 2
        dvar = dstd / (2 * std)
        dc = dc + 2 * c * dvar / n
        dmu = -dc.sum(0)
        dz = dc + dmu / n
        self.w.grad = x.T @ dz
        return loss
    """),
    program("attention", ATTENTION, """
        d = self.wq.shape[1]
        q = x @ self.wq
        k = x @ self.wk
        v = x @ self.wv
        s = q @ k.T / math.sqrt(d)
        p = torch.softmax(s, dim=1)
        out = p @ v
        off = out - y
        loss = (off ** 2).mean()
        dout = 2 * off / off.numel()
        dp = dout @ v.T
        dv = p.T @ dout
        ds = p * (dp - (dp * p).sum(1, keepdim=True))
        ds = ds / math.sqrt(d)
        dq = ds @ k
        dk = ds.T @ q
        self.wq.grad = x.T @ dq
        self.wk.grad = x.T @ dk
        self.wv.grad = x.T @ dv
        return loss
    """),
    program("rnn", RNN, """
        z1 = x1 @ self.wx + h0 @ self.wh + self.b
        h1 = torch.tanh(z1)
        z2 = x2 @ self.wx + h1 @ self.wh + self.b
        h2 = torch.tanh(z2)
        off = h2 - y
        loss = (off ** 2).mean()
        dh2 = 2 * off / off.numel()
        dz2 = dh2 * (1 - h2 ** 2)
        dwx = x2.T @ dz2
        dwh = h1.T @ dz2
        db = dz2.sum(0)
        dh1 = dz2 @ self.wh.T
        dz1 = dh1 * (1 - h1 ** 2)
        dwx += x1.T @ dz1
        dwh += h0.T @ dz1
        db += dz1.sum(0)
        self.wx.grad = dwx
        self.wh.grad = dwh
        self.b.grad = db
        return loss
    """),
    program("embedding", EMBEDDING, """
        n = y.shape[0]
        rows = self.e[i]
        bag = rows.sum(1)
        z = bag @ self.w
        scores = s[:, None] * z
        logp = F.log_softmax(scores, dim=1)
        loss = -logp[torch.arange(n), y].mean()
        dscores = logp.exp()
        dscores[torch.arange(n), y] -= 1
        dscores /= n
        dz = s[:, None] * dscores
        self.w.grad = bag.T @ dz
        dbag = dz @ self.w.T
        de = torch.zeros_like(self.e)
        for j in range(2):
            de.index_add_(0, i[:, j], dbag)
        self.e.grad = de
        return loss
    """),
    program("linear by rows", LINEAR, """
        n, c = y.shape
        dw = torch.zeros_like(self.w)
        db = torch.zeros_like(self.b)
        loss = 0
        for i in range(n):
            z = x[i] @ self.w + self.b
            off = z - y[i]
            loss = loss + (off ** 2).sum()
            g = 2 * off / (n * c)
            dw += torch.outer(x[i], g)
            db += g
        self.w.grad = dw
        self.b.grad = db
        return loss / (n * c)
    """),
    program("hinge", HINGE, """
        n = x.shape[0]
        s = x @ self.w
        right = s[torch.arange(n), y]
        margin = s - right[:, None] + 1
        margin[torch.arange(n), y] = 0
        loss = margin.clamp(min=0).sum() / n
        loss = loss + 0.5 * (self.w * self.w).sum()
        ds = (margin > 0).to(s.dtype)
        count = ds.sum(1)
        ds[torch.arange(n), y] = -count
        ds = ds / n
        dw = x.T @ ds
        dw = dw + self.w
        self.w.grad = dw
        return loss
    """),
    program("gated", GATED, """
        a = x @ self.wa
        g = x @ self.wg + self.b
        t = torch.tanh(a)
        s = torch.sigmoid(g)
        out = t * s
        loss = ((out - y) ** 2).mean()
        dout = 2 * (out - y) / out.numel()
        dt = dout * s
        ds = dout * t
        da = dt * (1 - t * t)
        dg = ds * s * (1 - s)
        self.wa.grad = x.T @ da
        self.wg.grad = x.T @ dg
        self.b.grad = dg.sum(dim=0)
        return loss
    """),
)  # fmt: skip
HELD_OUT = (
    program("logistic", LOGISTIC, """
        n = x.shape[0]
        z = x @ self.w + self.b
        p = torch.sigmoid(z)
        loss = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()
        dz = p - y
        dz = dz / n
        self.w.grad = dz @ x
        self.b.grad = dz.sum()
        return loss
    """),
    program("net with L2", NET_L2, """
        n = x.shape[0]
        h = torch.tanh(x @ self.w1 + self.b1)
        scores = h @ self.w2 + self.b2
        probs = F.softmax(scores, dim=1)
        data = -torch.log(probs[torch.arange(n), y]).sum() / n
        loss = data + 0.1 * (self.w1 ** 2).sum() + 0.1 * (self.w2 ** 2).sum()
        dscores = probs.clone()
        dscores[range(n), y] -= 1
        dscores /= n
        dw2 = h.T @ dscores
        dw2 += 0.2 * self.w2
        self.w2.grad = dw2
        self.b2.grad = dscores.sum(0)
        dh = dscores @ self.w2.T
        dz = dh * (1 - h ** 2)
        dw1 = x.T @ dz
        dw1 += 0.2 * self.w1
        self.w1.grad = dw1
        self.b1.grad = dz.sum(0)
        return loss
    """),
    program("batchnorm compact", BATCHNORM, """
        n = x.shape[0]
        z = x @ self.w
        var = z.var(0, unbiased=False)
        inv = 1 / torch.sqrt(var + 0.1)
        xhat = (z - z.mean(0)) * inv
        off = self.gamma * xhat + self.beta - y
        loss = (off ** 2).mean()
        dout = 2 * off / off.numel()
        self.beta.grad = dout.sum(0)
        self.gamma.grad = (dout * xhat).sum(0)
        dxhat = dout * self.gamma
        sums = dxhat.sum(0)
        dots = (dxhat * xhat).sum(0)
        dz = inv / n * (n * dxhat - sums - xhat * dots)
        self.w.grad = x.T @ dz
        return loss
    """),
    program("layernorm", LAYERNORM, """
        k = y.shape[1]
        z = x @ self.w
        mu = z.mean(1, keepdim=True)
        c = z - mu
        var = (c * c).mean(1, keepdim=True)
        inv = 1 / (var + 0.1).sqrt()
        xhat = c * inv
        off = xhat * self.gamma + self.beta - y
        loss = (off * off).sum()
        dout = 2 * off
        self.gamma.grad = (dout * xhat).sum(0)
        self.beta.grad = dout.sum(0)
        dxhat = dout * self.gamma
        mean = dxhat.mean(1, keepdim=True)
        dot = (dxhat * xhat).mean(1, keepdim=True)
        dz = (dxhat - mean - xhat * dot) * inv
        self.w.grad = x.T @ dz
        return loss
    """),
    program("causal attention", CAUSAL, """
        n = x.shape[0]
        scale = self.wq.shape[1] ** -0.5
        q, k, v = x @ self.wq, x @ self.wk, x @ self.wv
        scores = (q @ k.T) * scale
        mask = torch.triu(torch.ones(n, n), diagonal=1).bool()
        scores = scores.masked_fill(mask, -1e9)
        e = torch.exp(scores - scores.amax(1, keepdim=True))
        p = e / e.sum(1, keepdim=True)
        out = p @ v
        diff = out - y
        loss = (diff ** 2).sum()
        dout = 2 * diff
        dv = p.T @ dout
        dp = dout @ v.T
        dscores = p * dp
        dscores = dscores - p * dscores.sum(1, keepdim=True)
        dscores = dscores * scale
        dq = dscores @ k
        dk = dscores.T @ q
        self.wq.grad = x.T @ dq
        self.wk.grad = x.T @ dk
        self.wv.grad = x.T @ dv
        return loss
    """),
    program("conv by unfold", CONV, """
        n, k = x.shape[0], self.w.shape[0]
        cols = F.unfold(x, 3)
        flat = self.w.reshape(k, -1)
        out = flat @ cols + self.b[:, None]
        off = out - y.reshape(n, k, -1)
        loss = (off ** 2).sum() / n
        dout = 2 * off / n
        self.b.grad = dout.sum((0, 2))
        dflat = (dout @ cols.transpose(1, 2)).sum(0)
        self.w.grad = dflat.reshape(self.w.shape)
        return loss
    """),
    program("residual", RESIDUAL, """
        z1 = x @ self.w1 + self.b1
        r1 = z1.relu()
        h = x + r1
        z2 = h @ self.w2
        r2 = z2.relu()
        out = h + r2
        off = out - y
        loss = (off ** 2).mean()
        dout = off * 2 / off.numel()
        dz2 = dout * (z2 > 0)
        self.w2.grad = h.T @ dz2
        dh = dz2 @ self.w2.T
        dh = dh + dout
        dz1 = torch.where(z1 > 0, dh, torch.zeros_like(dh))
        self.w1.grad = x.T @ dz1
        self.b1.grad = dz1.sum(0)
        return loss
    """),
    program("lstm", LSTM, """
        i = torch.sigmoid(x @ self.wi)
        f = torch.sigmoid(x @ self.wf + self.b)
        o = torch.sigmoid(x @ self.wo + h0)
        g = torch.tanh(x @ self.wg)
        c = f * c0 + i * g
        t = torch.tanh(c)
        h = o * t
        off = h - y
        loss = (off ** 2).mean()
        dh = 2 * off / off.numel()
        do = dh * t
        dt = dh * o
        dc = dt * (1 - t ** 2)
        df = dc * c0
        di = dc * g
        dg = dc * i
        dzi = di * i * (1 - i)
        dzf = df * f * (1 - f)
        dzo = do * o * (1 - o)
        dzg = dg * (1 - g ** 2)
        self.wi.grad = x.T @ dzi
        self.wf.grad = x.T @ dzf
        self.wo.grad = x.T @ dzo
        self.wg.grad = x.T @ dzg
        self.b.grad = dzf.sum(0)
        return loss
    """),
    program("rows of length one", UNIT, """
        z = x @ self.w
        squares = (z ** 2).sum(1, keepdim=True)
        norm = torch.sqrt(squares + 0.1)
        u = z / norm
        diff = u - y
        loss = (diff ** 2).sum()
        du = 2 * diff
        dz = du / norm
        dnorm = -(du * z).sum(1, keepdim=True) / norm ** 2
        dsquares = dnorm / (2 * norm)
        dz = dz + 2 * z * dsquares
        self.w.grad = x.T @ dz
        return loss
    """),
    program("softmax by rows", SOFTMAX, """
        n = x.shape[0]
        dw = torch.zeros_like(self.w)
        db = torch.zeros_like(self.b)
        loss = torch.zeros(())
        for r in range(n):
            s = x[r] @ self.w + self.b
            e = torch.exp(s)
            p = e / e.sum()
            loss = loss - torch.log(p[y[r]])
            ds = p.clone()
            ds[y[r]] -= 1
            dw += x[r][:, None] * ds
            db += ds
        dw = dw / n
        db = db / n
        self.w.grad = dw
        self.b.grad = db
        return loss / n
    """),
    program("two layers by einsum", TWO_LAYERS, """
        hidden = torch.einsum("nd,dh->nh", x, self.w1) + self.b1
        active = hidden > 0
        h = hidden * active
        off = torch.einsum("nh,hc->nc", h, self.w2) + self.b2 - y
        loss = off.pow(2).sum() / len(x)
        g = off * (2 / len(x))
        self.w2.grad = torch.einsum("nh,nc->hc", h, g)
        self.b2.grad = torch.einsum("nc->c", g)
        dh = torch.einsum("nc,hc->nh", g, self.w2)
        dhidden = dh * active
        self.w1.grad = torch.einsum("nd,nh->dh", x, dhidden)
        self.b1.grad = torch.einsum("nh->h", dhidden)
        return loss
    """),
)  # fmt: skip
