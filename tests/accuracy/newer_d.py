"""Right passes on tensors by a third author who has not seen the search: recurrent nets and
sequences."""

from tensor_programs import program

CELLS = """
def v1(
    x: Float[Tensor, "t n d"], y: Float[Tensor, "t n o"], *,
    Wxh: Float[Tensor, "d h"], Whh: Float[Tensor, "h h"], Why: Float[Tensor, "h o"],
    bh: Float[Tensor, "h"], by: Float[Tensor, "o"],
):
    h = torch.zeros(x.shape[1], bh.shape[0], dtype=x.dtype)
    loss = 0
    for t in range(x.shape[0]):
        h = torch.tanh(x[t] @ Wxh + h @ Whh + bh)
        loss = loss + ((h @ Why + by - y[t]) ** 2).sum()
    return loss / x.shape[1]
"""
PEEPHOLE = """
def v1(
    x: Float[Tensor, "t d"], y: Float[Tensor, "h"], *,
    W: Float[Tensor, "3*h d"], R: Float[Tensor, "3*h h"], p: Float[Tensor, "2 h"],
    wo: Float[Tensor, "h"],
):
    k = y.shape[0]
    h = torch.zeros(k, dtype=x.dtype)
    c = torch.zeros(k, dtype=x.dtype)
    for t in range(x.shape[0]):
        i, f, g = (W @ x[t] + R @ h).chunk(3)
        i = torch.sigmoid(i + p[0] * c)
        f = torch.sigmoid(f + p[1] * c + 1)
        c = f * c + i * torch.tanh(g)
        h = wo * torch.tanh(c)
    return ((h - y) ** 2).mean()
"""
GRU = """
def v1(
    x: Float[Tensor, "n t d"], y: Float[Tensor, "n h"], *,
    Wi: Float[Tensor, "3*h d"], Wh: Float[Tensor, "3*h h"], bn: Float[Tensor, "h"],
):
    k = bn.shape[0]
    h = torch.zeros(x.shape[0], k, dtype=x.dtype)
    for t in range(x.shape[1]):
        ir, iz, inn = (x[:, t] @ Wi.T).split(k, 1)
        hr, hz, hn = (h @ Wh.T).split(k, 1)
        r, z = torch.sigmoid(ir + hr), torch.sigmoid(iz + hz)
        h = (1 - z) * torch.tanh(inn + r * (hn + bn)) + z * h
    return ((h - y) ** 2).mean()
"""
SSM = """
def v1(
    u: Float[Tensor, "t d"], y: Float[Tensor, "t"], *,
    a: Float[Tensor, "s"], B: Float[Tensor, "d s"], C: Float[Tensor, "s"], D: Float[Tensor, "d"],
):
    lam = torch.sigmoid(a)
    h = 0
    loss = 0
    for t in range(u.shape[0]):
        h = lam * h + u[t] @ B
        loss = loss + (h @ C + u[t] @ D - y[t]) ** 2
    return loss / u.shape[0]
"""
HMM = """
BELOW = {"obs": "o"}
SIZES = {"t": (5, 6)}
def v1(
    obs: Int[Tensor, "t"], *,
    start: Float[Tensor, "s"], trans: Float[Tensor, "s s"], emit: Float[Tensor, "s o"],
):
    pi, A, B = torch.softmax(start, 0), torch.softmax(trans, 1), torch.softmax(emit, 1)
    alpha = pi * B[:, obs[0]]
    for t in range(1, obs.shape[0]):
        alpha = (alpha @ A) * B[:, obs[t]]
    return -torch.log(alpha.sum())
"""
QRNN = """
def v1(
    x: Float[Tensor, "n t d"], y: Float[Tensor, "n"], *,
    Wz: Float[Tensor, "d h"], Wf: Float[Tensor, "d h"], v: Float[Tensor, "h"],
):
    Z, G = torch.tanh(x @ Wz), torch.sigmoid(x @ Wf)
    c = (1 - G[:, 0]) * Z[:, 0]
    for t in range(1, x.shape[1]):
        c = G[:, t] * c + (1 - G[:, t]) * Z[:, t]
    return F.binary_cross_entropy_with_logits(c @ v, torch.sigmoid(y))
"""
RECURRENCES = (
    program(
        "rnn with an output a step",
        CELLS,
        """
        T, N, D = x.shape
        H = self.bh.shape[0]
        hs = {-1: torch.zeros(N, H)}
        ys = {}
        loss = 0
        for t in range(T):
            hs[t] = torch.tanh(x[t] @ self.Wxh + hs[t - 1] @ self.Whh + self.bh)
            ys[t] = hs[t] @ self.Why + self.by
            loss += ((ys[t] - y[t]) ** 2).sum()
        loss = loss / N
        dWxh, dWhh = torch.zeros_like(self.Wxh), torch.zeros_like(self.Whh)
        dWhy = torch.zeros_like(self.Why)
        dbh, dby = torch.zeros_like(self.bh), torch.zeros_like(self.by)
        dhnext = torch.zeros(N, H)
        for t in reversed(range(T)):
            dy = 2 * (ys[t] - y[t]) / N
            dWhy += hs[t].T @ dy
            dby += dy.sum(0)
            dh = dy @ self.Why.T + dhnext
            draw = (1 - hs[t] * hs[t]) * dh
            dbh += draw.sum(0)
            dWxh += x[t].T @ draw
            dWhh += hs[t - 1].T @ draw
            dhnext = draw @ self.Whh.T
        self.Wxh.grad, self.Whh.grad, self.Why.grad = dWxh, dWhh, dWhy
        self.bh.grad, self.by.grad = dbh, dby
        return loss
    """,
    ),
    program(
        "lstm with peepholes",
        PEEPHOLE,
        """
        T, H = x.shape[0], y.shape[0]
        h, c = torch.zeros(H), torch.zeros(H)
        saved = []
        for t in range(T):
            a = self.W @ x[t] + self.R @ h
            i = torch.sigmoid(a[:H] + self.p[0] * c)
            f = torch.sigmoid(a[H : 2 * H] + self.p[1] * c + 1)
            g = torch.tanh(a[2 * H :])
            c_new = f * c + i * g
            tc = torch.tanh(c_new)
            saved.append((h, c, i, f, g, tc))
            h, c = self.wo * tc, c_new
        off = h - y
        loss = (off ** 2).mean()
        dh, dc = 2 * off / H, torch.zeros(H)
        dW, dR, dp = (torch.zeros_like(m) for m in (self.W, self.R, self.p))
        dwo = torch.zeros(H)
        for t in range(T - 1, -1, -1):
            h_prev, c_prev, i, f, g, tc = saved[t]
            dwo += dh * tc
            dc = dc + dh * self.wo * (1 - tc ** 2)
            di = dc * g * i * (1 - i)
            df = dc * c_prev * f * (1 - f)
            dg = dc * i * (1 - g ** 2)
            da = torch.cat([di, df, dg])
            dp[0] += di * c_prev
            dp[1] += df * c_prev
            dW += torch.outer(da, x[t])
            dR += torch.outer(da, h_prev)
            dh = self.R.T @ da
            dc = dc * f + di * self.p[0] + df * self.p[1]
        self.W.grad, self.R.grad = dW, dR
        self.p.grad, self.wo.grad = dp, dwo
        return loss
    """,
    ),
    program(
        "gru that resets after the product",
        GRU,
        """
        n, T, _ = x.shape
        H = self.bn.numel()
        h = torch.zeros(n, H)
        cache = []
        for t in range(T):
            gi = F.linear(x[:, t], self.Wi)
            gh = F.linear(h, self.Wh)
            r = torch.sigmoid(gi[:, :H] + gh[:, :H])
            z = torch.sigmoid(gi[:, H : 2 * H] + gh[:, H : 2 * H])
            hn = gh[:, 2 * H :] + self.bn
            cand = torch.tanh(gi[:, 2 * H :] + r * hn)
            cache.append((h, r, z, hn, cand))
            h = (1 - z) * cand + z * h
        loss = ((h - y) ** 2).mean()
        grad_h = 2 * (h - y) / h.numel()
        grad_Wi = torch.zeros_like(self.Wi)
        grad_Wh = torch.zeros_like(self.Wh)
        grad_bn = torch.zeros_like(self.bn)
        while cache:
            prev, r, z, hn, cand = cache.pop()
            grad_z = grad_h * (prev - cand) * z * (1 - z)
            grad_cand = grad_h * (1 - z) * (1 - cand * cand)
            grad_hn = grad_cand * r
            grad_r = grad_cand * hn * r * (1 - r)
            grad_gi = torch.cat((grad_r, grad_z, grad_cand), dim=1)
            grad_gh = torch.cat((grad_r, grad_z, grad_hn), dim=1)
            grad_bn += grad_hn.sum(0)
            grad_Wi += grad_gi.T @ x[:, len(cache)]
            grad_Wh += grad_gh.T @ prev
            grad_h = grad_h * z + grad_gh @ self.Wh
        self.Wi.grad = grad_Wi
        self.Wh.grad = grad_Wh
        self.bn.grad = grad_bn
        return loss
    """,
    ),
    program(
        "diagonal state space",
        SSM,
        """
        T = u.shape[0]
        lam = torch.sigmoid(self.a)
        v = u @ self.B
        hs = [torch.zeros_like(self.a)]
        for t in range(T):
            hs.append(lam * hs[t] + v[t])
        H = torch.stack(hs[1:])
        e = H @ self.C + u @ self.D - y
        loss = (e * e).sum() / T
        de = 2 * e / T
        e = None
        self.C.grad = H.T @ de
        H = None
        self.D.grad = u.T @ de
        dH = torch.outer(de, self.C)
        de = None
        carry = torch.zeros_like(lam)
        dlam = torch.zeros_like(lam)
        dv = torch.zeros_like(v)
        v = None
        for t in range(T - 1, -1, -1):
            carry = carry + dH[t]
            dv[t] = carry
            dlam = dlam + carry * hs[t]
            carry = carry * lam
        dH = hs = carry = None
        self.B.grad = u.T @ dv
        dv = None
        self.a.grad = dlam * lam * (1 - lam)
        return loss
    """,
    ),
    program(
        "hidden states by the forward algorithm",
        HMM,
        """
        T = len(obs)
        pi = self.start.softmax(0)
        A = self.trans.softmax(1)
        B = self.emit.softmax(1)
        alphas = [pi * B[:, obs[0]]]
        for t in range(1, T):
            alphas.append((alphas[t - 1] @ A) * B[:, obs[t]])
        total = alphas[T - 1].sum()
        loss = -total.log()
        dalpha = -torch.ones_like(pi) / total
        dA, dB = torch.zeros_like(A), torch.zeros_like(B)
        for t in range(T - 1, 0, -1):
            dB[:, obs[t]] += dalpha * (alphas[t - 1] @ A)
            dprior = dalpha * B[:, obs[t]]
            dA += torch.outer(alphas[t - 1], dprior)
            dalpha = A @ dprior
        dB[:, obs[0]] += dalpha * pi
        dpi = dalpha * B[:, obs[0]]
        self.start.grad = pi * (dpi - pi @ dpi)
        self.trans.grad = A * (dA - (A * dA).sum(1, keepdim=True))
        self.emit.grad = B * (dB - (B * dB).sum(1, keepdim=True))
        return loss
    """,
    ),
    program(
        "gated pooling over time",
        QRNN,
        """
        n, T, d = x.shape
        Z = torch.tanh(x @ self.Wz)
        G = torch.sigmoid(x @ self.Wf)
        c = torch.zeros(n, self.v.shape[0])
        cs = []
        for t in range(T):
            cs.append(c)
            c = G[:, t] * c + (1 - G[:, t]) * Z[:, t]
        target = torch.sigmoid(y)
        logit = c @ self.v
        loss = (F.softplus(logit) - target * logit).mean()
        dlogit = (torch.sigmoid(logit) - target) / n
        self.v.grad = c.T @ dlogit
        dc = dlogit[:, None] * self.v[None, :]
        dZ, dG = torch.zeros_like(Z), torch.zeros_like(G)
        for t in reversed(range(T)):
            dG[:, t] = dc * (cs[t] - Z[:, t])
            dZ[:, t] = dc * (1 - G[:, t])
            dc = dc * G[:, t]
        da = (dZ * (1 - Z ** 2)).reshape(n * T, -1)
        db = (dG * G * (1 - G)).reshape(n * T, -1)
        self.Wz.grad = x.reshape(n * T, d).T @ da
        self.Wf.grad = x.reshape(n * T, d).T @ db
        return loss
    """,
    ),
)
