"""Right passes on tensors by an author who has not seen the search: sequences, step by step."""

from tensor_programs import program

RECURRENT = """
BELOW = {"y": "v"}
SIZES = {"t": (1, 3), "n": (1, 4)}
def v1(
    x: Float[Tensor, "n t d"], h0: Float[Tensor, "n h"], y: Int[Tensor, "n t"], *,
    Wx: Float[Tensor, "d h"], Wh: Float[Tensor, "h h"], b: Float[Tensor, "h"],
    Wv: Float[Tensor, "h v"], bv: Float[Tensor, "v"],
):
    h, loss = h0, 0
    for t in range(x.shape[1]):
        h = torch.tanh(x[:, t] @ Wx + h @ Wh + b)
        loss = loss + F.cross_entropy(h @ Wv + bv, y[:, t], reduction="sum")
    return loss / x.shape[0]
"""
CHARS = """
BELOW = {"inputs": "v", "targets": "v"}
SIZES = {"t": (2, 4), "h": (1, 4)}
def v1(
    inputs: Int[Tensor, "t"], targets: Int[Tensor, "t"], hprev: Float[Tensor, "h"], *,
    Wxh: Float[Tensor, "h v"], Whh: Float[Tensor, "h h"], Why: Float[Tensor, "v h"],
    bh: Float[Tensor, "h"], by: Float[Tensor, "v"],
):
    h, loss = hprev, 0
    for i, o in zip(inputs, targets):
        h = torch.tanh(Wxh[:, i] + Whh @ h + bh)
        loss = loss - F.log_softmax(Why @ h + by, dim=0)[o]
    return loss
"""
GRU = """
def v1(
    x: Float[Tensor, "n d"], h_prev: Float[Tensor, "n h"], y: Float[Tensor, "n h"], *,
    Wr: Float[Tensor, "d h"], Ur: Float[Tensor, "h h"],
    Wz: Float[Tensor, "d h"], Uz: Float[Tensor, "h h"],
    Wn: Float[Tensor, "d h"], Un: Float[Tensor, "h h"], bn: Float[Tensor, "h"],
):
    r = torch.sigmoid(x @ Wr + h_prev @ Ur)
    z = torch.sigmoid(x @ Wz + h_prev @ Uz)
    n = torch.tanh(x @ Wn + r * (h_prev @ Un + bn))
    return (((1 - z) * n + z * h_prev - y) ** 2).sum() / x.shape[0]
"""
LSTM = """
SIZES = {"t": (1, 3), "n": (1, 3), "h": (1, 3)}
def v1(
    x: Float[Tensor, "t n d"], h0: Float[Tensor, "n h"], y: Float[Tensor, "n h"], *,
    Wx: Float[Tensor, "d 4*h"], Wh: Float[Tensor, "h 4*h"], b: Float[Tensor, "4*h"],
):
    h, c = h0, torch.zeros_like(h0)
    for step in x:
        i, f, o, g = (step @ Wx + h @ Wh + b).chunk(4, dim=1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
    return ((h - y) ** 2).mean()
"""
LEAKY = """
def v1(
    x: Float[Tensor, "t d"], target: Float[Tensor, "t"], *,
    W: Float[Tensor, "h d"], a: Float[Tensor, "h"], out: Float[Tensor, "h"],
):
    decay, state, loss = torch.sigmoid(a), torch.zeros_like(a), 0
    for t in range(x.shape[0]):
        state = decay * state + (1 - decay) * (W @ x[t])
        loss = loss + (out @ state - target[t]) ** 2
    return loss / x.shape[0]
"""
CHAIN = """
BELOW = {"tags": "k"}
SIZES = {"t": (2, 5)}
def v1(
    x: Float[Tensor, "t d"], tags: Int[Tensor, "t"], *,
    E: Float[Tensor, "d k"], A: Float[Tensor, "k k"],
):
    emit = x @ E
    alpha, gold = emit[0], emit[0, tags[0]]
    for t in range(1, x.shape[0]):
        alpha = torch.logsumexp(alpha[:, None] + A, 0) + emit[t]
        gold = gold + A[tags[t - 1], tags[t]] + emit[t, tags[t]]
    return torch.logsumexp(alpha, 0) - gold
"""
BOTH_WAYS = """
def v1(
    x: Float[Tensor, "t d"], y: Float[Tensor, ""], *,
    Wf: Float[Tensor, "d h"], Uf: Float[Tensor, "h h"],
    Wb: Float[Tensor, "d h"], Ub: Float[Tensor, "h h"], v: Float[Tensor, "2*h"],
):
    f = b = torch.zeros_like(Uf[0])
    for t in range(x.shape[0]):
        f = torch.tanh(x[t] @ Wf + f @ Uf)
        b = torch.tanh(x[-1 - t] @ Wb + b @ Ub)
    return (torch.cat([f, b]) @ v - y) ** 2
"""
PADDED = """
BELOW = {"y": "v", "keep": 2}
def v1(
    x: Float[Tensor, "n t d"], y: Int[Tensor, "n t"], keep: Int[Tensor, "n t"], *,
    w: Float[Tensor, "d v"], b: Float[Tensor, "v"],
):
    logp = F.log_softmax(x @ w + b, dim=-1)
    return -(logp.gather(2, y[..., None])[..., 0] * keep).sum() / x.shape[0]
"""

SEQUENCES = (
    program(
        "rnn over time",
        RECURRENT,
        """
        N, T, _ = x.shape
        hs = [h0]
        probs = []
        loss = 0.0
        for t in range(T):
            nxt = torch.tanh(x[:, t] @ self.Wx + hs[t] @ self.Wh + self.b)
            hs.append(nxt)
            logits = nxt @ self.Wv + self.bv
            p = torch.softmax(logits, dim=1)
            probs.append(p)
            loss = loss - torch.log(p[torch.arange(N), y[:, t]]).sum()
        loss = loss / N
        dWx, dWh = torch.zeros_like(self.Wx), torch.zeros_like(self.Wh)
        db = torch.zeros_like(self.b)
        dWv, dbv = torch.zeros_like(self.Wv), torch.zeros_like(self.bv)
        dnext = torch.zeros_like(h0)
        for t in reversed(range(T)):
            dscore = probs[t].clone()
            dscore[torch.arange(N), y[:, t]] -= 1
            dscore /= N
            dWv += hs[t + 1].T @ dscore
            dbv += dscore.sum(0)
            dh = dscore @ self.Wv.T + dnext
            da = dh * (1 - hs[t + 1] ** 2)
            dWx += x[:, t].T @ da
            dWh += hs[t].T @ da
            db += da.sum(0)
            dnext = da @ self.Wh.T
        self.Wx.grad, self.Wh.grad, self.b.grad = dWx, dWh, db
        self.Wv.grad, self.bv.grad = dWv, dbv
        return loss
        """,
    ),
    program(
        "characters, one at a time",
        CHARS,
        """
        states, ps = {-1: hprev}, {}
        loss = 0
        for t in range(len(inputs)):
            one = torch.zeros(self.Wxh.shape[1])
            one[inputs[t]] = 1
            states[t] = torch.tanh(self.Wxh @ one + self.Whh @ states[t - 1] + self.bh)
            scores = self.Why @ states[t] + self.by
            ps[t] = torch.exp(scores - torch.logsumexp(scores, 0))
            loss = loss - torch.log(ps[t][targets[t]])
        gWxh, gWhh, gWhy = (torch.zeros_like(w) for w in (self.Wxh, self.Whh, self.Why))
        gbh, gby = torch.zeros_like(self.bh), torch.zeros_like(self.by)
        later = torch.zeros_like(hprev)
        for t in range(len(inputs) - 1, -1, -1):
            gy = ps[t].clone()
            gy[targets[t]] -= 1
            gWhy += torch.outer(gy, states[t])
            gby += gy
            gh = self.Why.T @ gy + later
            graw = gh * (1 - states[t] * states[t])
            gbh += graw
            gWxh[:, inputs[t]] += graw
            gWhh += torch.outer(graw, states[t - 1])
            later = self.Whh.T @ graw
        self.Wxh.grad, self.Whh.grad, self.Why.grad = gWxh, gWhh, gWhy
        self.bh.grad, self.by.grad = gbh, gby
        return loss
        """,
    ),
    program(
        "gru step",
        GRU,
        """
        B = x.shape[0]
        r = torch.sigmoid(x @ self.Wr + h_prev @ self.Ur)
        z = torch.sigmoid(x @ self.Wz + h_prev @ self.Uz)
        inner = h_prev @ self.Un + self.bn
        n = torch.tanh(x @ self.Wn + r * inner)
        h_t = (1 - z) * n + z * h_prev
        err = h_t - y
        loss = (err ** 2).sum() / B
        dh = 2 * err / B
        dn = dh * (1 - z)
        dz = dh * (h_prev - n)
        dn_pre = dn * (1 - n ** 2)
        dr = dn_pre * inner
        dinner = dn_pre * r
        dz_pre = dz * z * (1 - z)
        dr_pre = dr * r * (1 - r)
        self.Wn.grad = x.T @ dn_pre
        self.Un.grad = h_prev.T @ dinner
        self.bn.grad = dinner.sum(0)
        self.Wz.grad = x.T @ dz_pre
        self.Uz.grad = h_prev.T @ dz_pre
        self.Wr.grad = x.T @ dr_pre
        self.Ur.grad = h_prev.T @ dr_pre
        return loss
        """,
    ),
    program(
        "lstm with stacked gates",
        LSTM,
        """
        T, N, _ = x.shape
        H = h0.shape[1]
        h, c = h0, torch.zeros_like(h0)
        caches = []
        for t in range(T):
            a = x[t] @ self.Wx + h @ self.Wh + self.b
            i = torch.sigmoid(a[:, :H])
            f = torch.sigmoid(a[:, H:2 * H])
            o = torch.sigmoid(a[:, 2 * H:3 * H])
            g = torch.tanh(a[:, 3 * H:])
            c_next = f * c + i * g
            tc = torch.tanh(c_next)
            caches.append((h, c, i, f, o, g, tc))
            h, c = o * tc, c_next
        loss = ((h - y) ** 2).mean()
        dh = 2 * (h - y) / (N * H)
        dc = torch.zeros_like(dh)
        dWx = torch.zeros_like(self.Wx)
        dWh = torch.zeros_like(self.Wh)
        db = torch.zeros_like(self.b)
        for t in range(T - 1, -1, -1):
            h_prev, c_prev, i, f, o, g, tc = caches[t]
            dc = dc + dh * o * (1 - tc ** 2)
            do = dh * tc * o * (1 - o)
            di = dc * g * i * (1 - i)
            df = dc * c_prev * f * (1 - f)
            dg = dc * i * (1 - g ** 2)
            da = torch.cat([di, df, do, dg], dim=1)
            dWx += x[t].T @ da
            dWh += h_prev.T @ da
            db += da.sum(0)
            dh = da @ self.Wh.T
            dc = dc * f
        self.Wx.grad = dWx
        self.Wh.grad = dWh
        self.b.grad = db
        return loss
        """,
    ),
    program(
        "leaky integrator",
        LEAKY,
        """
        steps = x.shape[0]
        decay = torch.sigmoid(self.a)
        drive = x @ self.W.T
        states = [torch.zeros_like(self.a)]
        for t in range(steps):
            states.append(decay * states[-1] + (1 - decay) * drive[t])
        trail = torch.stack(states[1:])
        err = trail @ self.out - target
        loss = (err ** 2).sum() / steps
        derr = 2 * err / steps
        self.out.grad = derr @ trail
        ddecay = torch.zeros_like(decay)
        ddrive = torch.zeros_like(drive)
        carry = torch.zeros_like(decay)
        for t in reversed(range(steps)):
            carry = carry + derr[t] * self.out
            ddecay = ddecay + carry * (states[t] - drive[t])
            ddrive[t] = carry * (1 - decay)
            carry = carry * decay
        self.a.grad = ddecay * decay * (1 - decay)
        self.W.grad = ddrive.T @ x
        return loss
        """,
    ),
    program(
        "linear chain",
        CHAIN,
        """
        L, K = x.shape[0], self.A.shape[0]
        emit = x @ self.E
        fwd = [emit[0]]
        for t in range(1, L):
            fwd.append(torch.logsumexp(fwd[-1].unsqueeze(1) + self.A, dim=0) + emit[t])
        logZ = torch.logsumexp(fwd[-1], dim=0)
        score = emit[torch.arange(L), tags].sum() + self.A[tags[:-1], tags[1:]].sum()
        loss = logZ - score
        bwd = torch.zeros(K)
        d_emit = torch.zeros_like(emit)
        d_A = torch.zeros_like(self.A)
        d_emit[L - 1] = torch.exp(fwd[L - 1] - logZ)
        for t in range(L - 2, -1, -1):
            tail = emit[t + 1] + bwd
            pair = torch.exp(fwd[t][:, None] + self.A + tail[None, :] - logZ)
            d_A += pair
            d_emit[t] = pair.sum(1)
            bwd = torch.logsumexp(self.A + tail[None, :], dim=1)
        for t in range(L):
            d_emit[t, tags[t]] -= 1
            if t > 0:
                d_A[tags[t - 1], tags[t]] -= 1
        self.E.grad = x.T @ d_emit
        self.A.grad = d_A
        return loss
        """,
    ),
    program(
        "both directions",
        BOTH_WAYS,
        """
        T, H = x.shape[0], self.Uf.shape[0]
        fs = [torch.zeros(H)]
        bs = [torch.zeros(H)]
        for t in range(T):
            fs.append(torch.tanh(x[t] @ self.Wf + fs[-1] @ self.Uf))
            bs.append(torch.tanh(x[T - 1 - t] @ self.Wb + bs[-1] @ self.Ub))
        both = torch.cat([fs[-1], bs[-1]])
        res = both.dot(self.v) - y
        self.v.grad = 2 * res * both
        dboth = 2 * res * self.v
        df, db = dboth[:H], dboth[H:]
        gWf, gUf = torch.zeros_like(self.Wf), torch.zeros_like(self.Uf)
        gWb, gUb = torch.zeros_like(self.Wb), torch.zeros_like(self.Ub)
        for t in range(T, 0, -1):
            df = df * (1 - fs[t] ** 2)
            gWf += x[t - 1][:, None] * df[None, :]
            gUf += fs[t - 1][:, None] * df[None, :]
            df = self.Uf @ df
            db = db * (1 - bs[t] ** 2)
            gWb += x[T - t][:, None] * db[None, :]
            gUb += bs[t - 1][:, None] * db[None, :]
            db = self.Ub @ db
        self.Wf.grad, self.Uf.grad = gWf, gUf
        self.Wb.grad, self.Ub.grad = gWb, gUb
        return res ** 2
        """,
    ),
    program(
        "padded steps",
        PADDED,
        """
        N, T, D = x.shape
        V = self.w.shape[1]
        x_flat = x.reshape(N * T, D)
        y_flat = y.reshape(N * T)
        mask_flat = keep.reshape(N * T).to(x.dtype)
        scores = x_flat @ self.w + self.b
        probs = torch.exp(scores - scores.max(1, keepdim=True).values)
        probs = probs / probs.sum(1, keepdim=True)
        right = probs[torch.arange(N * T), y_flat]
        loss = -(mask_flat * right.log()).sum() / N
        dscores = probs.clone()
        dscores[torch.arange(N * T), y_flat] -= 1
        dscores = dscores / N
        dscores = dscores * mask_flat[:, None]
        dw = x_flat.T @ dscores
        db = dscores.view(N, T, V).sum(dim=(0, 1))
        self.w.grad = dw
        self.b.grad = db
        return loss
        """,
    ),
)
