"""Right passes on tensors by a third author who has not seen the search: nets with several ways
through them."""

from tensor_programs import program

LORA = """
RANGES = {"x": ((-1, 1), (-2, 2))}
def v1(
    x: Float[Tensor, "n d"], W0: Float[Tensor, "d k"], y: Float[Tensor, "n k"], *,
    A: Float[Tensor, "d r"], B: Float[Tensor, "r k"],
):
    return ((torch.sigmoid(x @ (W0 + 0.5 * A @ B)) - y) ** 2).sum() + 0.1 * (A ** 2).sum()
"""
INSTANCES = """
BELOW = {"y": 2}
def v1(
    bag: Float[Tensor, "n m d"], y: Int[Tensor, "n"], *,
    V: Float[Tensor, "d l"], U: Float[Tensor, "d l"], w: Float[Tensor, "l"],
    c: Float[Tensor, "d"],
):
    a = torch.softmax((torch.tanh(bag @ V) * torch.sigmoid(bag @ U)) @ w, 1)
    z = torch.einsum("nm,nmd->nd", a, bag) @ c
    return F.binary_cross_entropy_with_logits(z, y.to(z.dtype))
"""
BLOCK = """
RANGES = {"x": ((-1, 1), (-2, 2))}
def v1(
    x: Float[Tensor, "t d"], y: Float[Tensor, "t d"], *,
    Wq: Float[Tensor, "d k"], Wk: Float[Tensor, "d k"], Wv: Float[Tensor, "d d"],
    W1: Float[Tensor, "d h"], b1: Float[Tensor, "h"], W2: Float[Tensor, "h d"],
):
    a = x + torch.softmax((x @ Wq) @ (x @ Wk).T / Wq.shape[1] ** 0.5, 1) @ (x @ Wv)
    return ((a + torch.relu(a @ W1 + b1) @ W2 - y) ** 2).sum() / x.shape[0]
"""
POINTER = """
BELOW = {"y": "m"}
def v1(
    enc: Float[Tensor, "n m d"], dec: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    W1: Float[Tensor, "d h"], W2: Float[Tensor, "d h"], v: Float[Tensor, "h"],
):
    return F.cross_entropy(torch.tanh(enc @ W1 + (dec @ W2)[:, None]) @ v, y, reduction="sum")
"""
FLOW = """
def v1(
    x: Float[Tensor, "n d"], *,
    w: Float[Tensor, "d"], u: Float[Tensor, "d"], b: Float[Tensor, ""],
):
    a = torch.tanh(x @ w + b)
    z = x + a[:, None] * u
    det = 1 + (1 - a ** 2) * (w @ u)
    return (0.5 * (z ** 2).sum(1) - torch.log(det.abs() + 0.1)).mean()
"""
EXITS = """
BELOW = {"y": "c"}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    W0: Float[Tensor, "d d"], W1: Float[Tensor, "d d"], C0: Float[Tensor, "d c"],
    C1: Float[Tensor, "d c"],
):
    h0 = torch.sigmoid(x @ W0)
    h1 = torch.sigmoid(h0 @ W1)
    return 0.3 * F.cross_entropy(h0 @ C0, y) + F.cross_entropy(h1 @ C1, y)
"""
BILINEAR = """
def v1(
    a: Float[Tensor, "n p"], b: Float[Tensor, "n q"], y: Float[Tensor, "n"], *,
    U: Float[Tensor, "p k"], V: Float[Tensor, "q k"], w: Float[Tensor, "k"],
):
    z = torch.relu(a @ U) * torch.relu(b @ V)
    return F.smooth_l1_loss(torch.sqrt(z + 0.2) @ w, y)
"""
WAYS = (
    program(
        "low rank beside a frozen matrix",
        LORA,
        """
        scale = 0.5
        low = self.A @ self.B
        W = W0 + scale * low
        z = x @ W
        s = 1 / (1 + torch.exp(-z))
        e = s - y
        data = torch.sum(e * e)
        loss = data + 0.1 * torch.sum(self.A * self.A)
        low = W = z = None
        ds = 2 * e
        e = None
        dz = ds * s * (1 - s)
        ds = s = None
        dW = x.T @ dz
        dz = None
        dlow = scale * dW
        dW = None
        dA = dlow @ self.B.T
        dA = dA + 0.2 * self.A
        self.A.grad = dA
        self.B.grad = self.A.T @ dlow
        return loss
    """,
    ),
    program(
        "bags of instances",
        INSTANCES,
        """
        n, m, d = bag.shape
        tv = torch.tanh(bag @ self.V)
        su = torch.sigmoid(bag @ self.U)
        gated = tv * su
        att = torch.softmax(gated @ self.w, dim=1)
        pooled = (att.unsqueeze(-1) * bag).sum(dim=1)
        z = pooled @ self.c
        prob = torch.sigmoid(z)
        loss = -(y * torch.log(prob) + (1 - y) * torch.log(1 - prob)).mean()
        dz = (prob - y) / n
        self.c.grad = pooled.T @ dz
        dpooled = dz.unsqueeze(1) * self.c
        datt = (dpooled.unsqueeze(1) * bag).sum(dim=-1)
        dscore = att * (datt - (att * datt).sum(dim=1, keepdim=True))
        self.w.grad = (dscore.unsqueeze(-1) * gated).sum(dim=(0, 1))
        dgated = dscore.unsqueeze(-1) * self.w
        dtv = dgated * su * (1 - tv ** 2)
        dsu = dgated * tv * su * (1 - su)
        self.V.grad = (bag.transpose(1, 2) @ dtv).sum(0)
        self.U.grad = (bag.transpose(1, 2) @ dsu).sum(0)
        return loss
    """,
    ),
    program(
        "block of attention and mlp",
        BLOCK,
        """
        n = x.shape[0]
        r = math.sqrt(self.Wq.shape[1])
        q, k, v = torch.mm(x, self.Wq), torch.mm(x, self.Wk), torch.mm(x, self.Wv)
        s = torch.mm(q, k.t()) / r
        e = torch.exp(s - s.max(dim=1, keepdim=True)[0])
        p = e / e.sum(dim=1, keepdim=True)
        a = x + torch.mm(p, v)
        z = torch.mm(a, self.W1) + self.b1
        h = z.clamp(min=0)
        out = a + torch.mm(h, self.W2)
        diff = out - y
        loss = (diff * diff).sum() / n
        del s, e, out
        g_out = diff * 2 / n
        self.W2.grad = torch.mm(h.t(), g_out)
        del diff, h
        g_z = torch.mm(g_out, self.W2.t()) * (z > 0)
        del z
        self.b1.grad = g_z.sum(dim=0)
        self.W1.grad = torch.mm(a.t(), g_z)
        g_a = g_out + torch.mm(g_z, self.W1.t())
        del a, g_z, g_out
        g_p = torch.mm(g_a, v.t())
        self.Wv.grad = torch.mm(x.t(), torch.mm(p.t(), g_a))
        del v, g_a
        g_s = p * (g_p - (g_p * p).sum(dim=1, keepdim=True)) / r
        del p, g_p
        self.Wq.grad = torch.mm(x.t(), torch.mm(g_s, k))
        del k
        self.Wk.grad = torch.mm(x.t(), torch.mm(g_s.t(), q))
        return loss
    """,
    ),
    program(
        "pointer to an input",
        POINTER,
        """
        n, m, d = enc.shape
        E = enc.reshape(-1, d) @ self.W1
        Dh = dec @ self.W2
        u = torch.tanh(E.reshape(n, m, -1) + Dh.unsqueeze(1))
        scores = torch.einsum("nmh,h->nm", u, self.v)
        logp = F.log_softmax(scores, dim=1)
        loss = -logp.gather(1, y.unsqueeze(1)).sum()
        onehot = torch.zeros(n, m).scatter_(1, y.unsqueeze(1), 1.0)
        g = logp.exp() - onehot
        dv = torch.einsum("nm,nmh->h", g, u)
        dpre = g.unsqueeze(2) * self.v * (1 - u ** 2)
        dW2 = dec.T @ dpre.sum(dim=1)
        dW1 = enc.reshape(-1, d).T @ dpre.reshape(n * m, -1)
        self.v.grad = dv
        self.W1.grad = dW1
        self.W2.grad = dW2
        return loss
    """,
    ),
    program(
        "planar flow",
        FLOW,
        """
        n, d = x.shape
        a = torch.tanh(x @ self.w + self.b)
        wu = torch.dot(self.w, self.u)
        z = x + torch.outer(a, self.u)
        slope = 1 - a ** 2
        det = 1 + slope * wu
        size = det.abs() + 0.1
        loss = (0.5 * z.pow(2).sum(1) - size.log()).mean()
        dz = z / n
        ddet = -det.sign() / size / n
        dwu = (ddet * slope).sum()
        dslope = ddet * wu
        da = dz @ self.u - 2 * a * dslope
        dpre = da * slope
        du = a @ dz + dwu * self.w
        dw = dpre @ x + dwu * self.u
        self.b.grad = dpre.sum()
        self.u.grad = du
        self.w.grad = dw
        return loss
    """,
    ),
    program(
        "exits after each layer",
        EXITS,
        """
        n = y.shape[0]
        c = self.C0.shape[1]
        rows = torch.arange(n)
        hot = torch.eye(c)[y]
        hs = [x]
        for W in (self.W0, self.W1):
            hs.append(1 / (1 + torch.exp(-hs[-1] @ W)))
        losses, deltas = [], []
        for h, C in zip(hs[1:], (self.C0, self.C1)):
            s = h @ C
            p = torch.softmax(s, dim=1)
            losses.append(-torch.log(p[rows, y]).mean())
            deltas.append((p - hot) / n)
        loss = 0.3 * losses[0] + losses[1]
        self.C1.grad = hs[2].T @ deltas[1]
        dh1 = deltas[1] @ self.C1.T
        dz1 = dh1 * hs[2] * (1 - hs[2])
        self.W1.grad = hs[1].T @ dz1
        deltas[0] = 0.3 * deltas[0]
        self.C0.grad = hs[1].T @ deltas[0]
        dh0 = deltas[0] @ self.C0.T + dz1 @ self.W1.T
        dz0 = dh0 * hs[1] * (1 - hs[1])
        self.W0.grad = hs[0].T @ dz0
        return loss
    """,
    ),
    program(
        "pooled products of two views",
        BILINEAR,
        """
        n = y.size(0)
        fa, fb = a @ self.U, b @ self.V
        ra, rb = fa.relu(), fb.relu()
        root = (ra * rb + 0.2).sqrt()
        off = root @ self.w - y
        small = off.abs() < 1
        loss = torch.where(small, 0.5 * off ** 2, off.abs() - 0.5).mean()
        goff = torch.where(small, off, torch.sign(off)) / n
        del small, off
        gw = root.T @ goff
        gz = torch.outer(goff, self.w) / (2 * root)
        del goff, root
        gfa = gz * rb * (fa > 0)
        del fa, rb
        gfb = gz * ra * (fb > 0)
        del fb, ra, gz
        self.U.grad = a.T @ gfa
        self.V.grad = b.T @ gfb
        self.w.grad = gw
        return loss
    """,
    ),
)
