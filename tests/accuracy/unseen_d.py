"""Right passes on tensors by an author who has not seen the search: attention, and steps over
short sequences."""

from tensor_programs import program

CAUSAL = """
BELOW = {"targets": "v"}
SIZES = {"t": (2, 4), "v": (2, 5)}
def v1(
    x: Float[Tensor, "b t c"], targets: Int[Tensor, "b t"], *,
    pos: Float[Tensor, "t c"], wq: Float[Tensor, "c h"], wk: Float[Tensor, "c h"],
    wv: Float[Tensor, "c h"], head: Float[Tensor, "h v"],
):
    z = x + pos
    q, k, v = z @ wq, z @ wk, z @ wv
    out = F.scaled_dot_product_attention(q, k, v, is_causal=True) @ head
    return F.cross_entropy(out.flatten(0, 1), targets.flatten())
"""
TWO_HEADS = """
SIZES = {"T": (2, 4), "m": (1, 3)}
def v1(
    x: Float[Tensor, "B T D"], y: Float[Tensor, "B T D"], *,
    qkv: Float[Tensor, "D 6*m"], proj: Float[Tensor, "2*m D"],
):
    q, k, v = (s.unflatten(-1, (2, -1)).transpose(1, 2) for s in (x @ qkv).chunk(3, dim=-1))
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    after = torch.ones(x.shape[1], x.shape[1]).triu(1) > 0
    attended = scores.masked_fill(after, float("-inf")).softmax(-1) @ v
    return ((attended.transpose(1, 2).flatten(2) @ proj - y) ** 2).mean()
"""
CROSS = """
SIZES = {"s": (2, 4)}
def v1(
    x: Float[Tensor, "b t d"], memory: Float[Tensor, "b s e"], dout: Float[Tensor, "b t h"], *,
    wq: Float[Tensor, "d h"], wk: Float[Tensor, "e h"], wv: Float[Tensor, "e h"],
):
    scores = (x @ wq) @ (memory @ wk).transpose(1, 2) / math.sqrt(wq.shape[1])
    return (scores.softmax(-1) @ (memory @ wv) * dout).sum()
"""
ELMAN = """
SIZES = {"T": (2, 3)}
def v1(
    x: Float[Tensor, "n T d"], y: Float[Tensor, "n"], *,
    wxh: Float[Tensor, "d h"], whh: Float[Tensor, "h h"], bh: Float[Tensor, "h"],
    why: Float[Tensor, "h"],
):
    h = torch.zeros(x.shape[0], whh.shape[0], dtype=x.dtype)
    for t in range(x.shape[1]):
        h = torch.relu(x[:, t] @ wxh + h @ whh + bh)
    return ((h @ why - y) ** 2).sum() / 2
"""
GRU = """
SIZES = {"T": (2, 3)}
def v1(
    xs: Float[Tensor, "T n d"], h0: Float[Tensor, "n h"], dh: Float[Tensor, "n h"], *,
    wz: Float[Tensor, "d+h h"], wr: Float[Tensor, "d+h h"], wn: Float[Tensor, "d+h h"],
):
    h = h0
    for x in xs:
        z = torch.sigmoid(torch.cat([x, h], 1) @ wz)
        r = torch.sigmoid(torch.cat([x, h], 1) @ wr)
        h = z * h + (1 - z) * torch.tanh(torch.cat([x, r * h], 1) @ wn)
    return (h * dh).sum()
"""
LSTM = """
SIZES = {"T": (2, 3), "h": (2, 3), "d": (1, 2)}
def v1(
    X: Float[Tensor, "T n d"], target: Float[Tensor, "T n h"], *,
    Wf: Float[Tensor, "d+h h"], Wi: Float[Tensor, "d+h h"],
    Wo: Float[Tensor, "d+h h"], Wg: Float[Tensor, "d+h h"], bf: Float[Tensor, "h"],
):
    h = c = torch.zeros_like(target[0])
    loss = 0
    for x, t in zip(X, target):
        cat = torch.cat([x, h], dim=1)
        f = torch.sigmoid(cat @ Wf + bf)
        c = f * c + torch.sigmoid(cat @ Wi) * torch.tanh(cat @ Wg)
        h = torch.sigmoid(cat @ Wo) * torch.tanh(c)
        loss = loss + ((h - t) ** 2).mean()
    return loss / len(X)
"""
MINIMAL = """
BELOW = {"y": "k"}
SIZES = {"L": (2, 4), "k": (2, 5)}
def v1(
    x: Float[Tensor, "n L d"], y: Int[Tensor, "n L"], *,
    U: Float[Tensor, "d h"], V: Float[Tensor, "d h"], out: Float[Tensor, "h k"],
):
    z = torch.sigmoid(x @ U)
    h, states = 0, []
    for t in range(x.shape[1]):
        h = (1 - z[:, t]) * h + z[:, t] * (x[:, t] @ V)
        states.append(h)
    logp = F.log_softmax(torch.stack(states, 1) @ out, -1)
    return F.nll_loss(logp.transpose(1, 2), y)
"""
SEQUENTIAL = (
    program(
        "causal head with positions",
        CAUSAL,
        """
        B, T, C = x.shape
        z = x + self.pos
        q, k, v = z @ self.wq, z @ self.wk, z @ self.wv
        scale = q.shape[-1] ** -0.5
        tril = torch.tril(torch.ones(T, T))
        att = F.softmax((q @ k.transpose(-2, -1) * scale).masked_fill(tril == 0, float('-inf')), -1)
        o = att @ v
        logits = (o @ self.head).view(B * T, -1)
        logp = F.log_softmax(logits, dim=-1)
        tgt = targets.view(-1)
        loss = -logp[torch.arange(B * T), tgt].mean()
        dlogits = logp.exp()
        dlogits[torch.arange(B * T), tgt] -= 1
        dlogits = dlogits.view(B, T, -1) / (B * T)
        self.head.grad = (o.transpose(-2, -1) @ dlogits).sum(0)
        do = dlogits @ self.head.T
        dv = att.transpose(-2, -1) @ do
        datt = do @ v.transpose(-2, -1)
        dscores = (datt - (datt * att).sum(-1, keepdim=True)) * att * scale
        dq = dscores @ k
        dk = dscores.transpose(-2, -1) @ q
        self.wq.grad = (z.transpose(-2, -1) @ dq).sum(0)
        self.wk.grad = (z.transpose(-2, -1) @ dk).sum(0)
        self.wv.grad = (z.transpose(-2, -1) @ dv).sum(0)
        dz = dq @ self.wq.T + dk @ self.wk.T + dv @ self.wv.T
        self.pos.grad = dz.sum(0)
        return loss
        """,
    ),
    program(
        "two heads by reshape and permute",
        TWO_HEADS,
        """
        B, T, D = x.shape
        nh = 2
        hs = self.proj.shape[0] // nh
        qkv = x.matmul(self.qkv).reshape(B, T, 3, nh, hs).permute(2, 0, 3, 1, 4)
        q, k, v = qkv[0], qkv[1], qkv[2]
        mask = torch.triu(torch.ones(T, T, dtype=torch.bool), diagonal=1)
        S = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(hs)
        S = S.masked_fill(mask, -float("inf"))
        del mask
        P = torch.softmax(S, dim=3)
        del S
        O = torch.matmul(P, v)
        merged = O.permute(0, 2, 1, 3).reshape(B * T, nh * hs)
        del O
        err = merged.matmul(self.proj) - y.reshape(B * T, D)
        loss = err.pow(2).mean()
        dY = 2 * err / err.numel()
        del err
        self.proj.grad = merged.t().matmul(dY)
        del merged
        dO = dY.matmul(self.proj.t()).reshape(B, T, nh, hs).permute(0, 2, 1, 3)
        del dY
        dqkv = torch.zeros_like(qkv)
        dqkv[2] = torch.matmul(P.transpose(2, 3), dO)
        dP = torch.matmul(dO, v.transpose(2, 3))
        del dO
        row = torch.sum(dP * P, dim=3, keepdim=True)
        dS = P * (dP - row) / math.sqrt(hs)
        del P, dP, row
        dqkv[0] = torch.matmul(dS, k)
        dqkv[1] = torch.matmul(dS.transpose(2, 3), q)
        del q, k, v, qkv, dS
        dqkv = dqkv.permute(1, 3, 0, 2, 4).reshape(B * T, 3 * nh * hs)
        self.qkv.grad = x.reshape(B * T, D).t().matmul(dqkv)
        return loss
        """,
    ),
    program(
        "cross attention, a sample at a time",
        CROSS,
        """
        d_k = self.wq.shape[1]
        loss = 0
        gq, gk, gv = [torch.zeros_like(p) for p in (self.wq, self.wk, self.wv)]
        for i in range(x.shape[0]):
            Q = x[i].mm(self.wq)
            K = memory[i].mm(self.wk)
            V = memory[i].mm(self.wv)
            A = torch.softmax(Q.mm(K.t()) / d_k ** 0.5, dim=1)
            loss = loss + (A.mm(V) * dout[i]).sum()
            gv += memory[i].t().mm(A.t().mm(dout[i]))
            gA = dout[i].mm(V.t())
            gS = torch.zeros_like(A)
            for j in range(A.shape[0]):
                a = A[j]
                gS[j] = (torch.diag(a) - torch.outer(a, a)).mv(gA[j])
            gS = gS / d_k ** 0.5
            gq += x[i].t().mm(gS.mm(K))
            gk += memory[i].t().mm(gS.t().mm(Q))
        self.wq.grad, self.wk.grad, self.wv.grad = gq, gk, gv
        return loss
        """,
    ),
    program(
        "elman net with the last state",
        ELMAN,
        """
        n, T, d = x.shape
        hs = {-1: torch.zeros(n, self.whh.shape[0], dtype=x.dtype)}
        for t in range(T):
            hs[t] = (x[:, t, :] @ self.wxh + hs[t - 1] @ self.whh + self.bh).clamp(min=0)
        diff = hs[T - 1] @ self.why - y
        loss = (diff * diff).sum() / 2
        dwhy = hs[T - 1].T @ diff
        dh = torch.outer(diff, self.why)
        dwxh, dwhh = torch.zeros_like(self.wxh), torch.zeros_like(self.whh)
        dbh = torch.zeros_like(self.bh)
        for t in reversed(range(T)):
            da = dh * (hs[t] > 0).to(dh.dtype)
            dwxh += x[:, t, :].T @ da
            dwhh += hs[t - 1].T @ da
            dbh += da.sum(0)
            if t > 0:
                dh = da @ self.whh.T
        self.wxh.grad = dwxh
        self.whh.grad = dwhh
        self.bh.grad = dbh
        self.why.grad = dwhy
        return loss
        """,
    ),
    program(
        "gru with inputs side by side",
        GRU,
        """
        T, n, D = xs.shape
        h = h0
        cache = []
        for t in range(T):
            xh = torch.cat((xs[t], h), dim=1)
            z = torch.sigmoid(xh.mm(self.wz))
            r = torch.sigmoid(xh.mm(self.wr))
            xrh = torch.cat((xs[t], r * h), dim=1)
            cand = torch.tanh(xrh.mm(self.wn))
            cache.append((xh, xrh, z, r, cand, h))
            h = (1 - z) * cand + z * h
        loss = torch.sum(h * dh)
        gz = torch.zeros_like(self.wz)
        gr = torch.zeros_like(self.wr)
        gn = torch.zeros_like(self.wn)
        dnext = dh
        while cache:
            xh, xrh, z, r, cand, hprev = cache.pop()
            dpre_n = dnext * (1 - z) * (1 - cand ** 2)
            gn = gn + xrh.t().mm(dpre_n)
            drh = dpre_n.mm(self.wn[D:].t())
            dpre_r = drh * hprev * r * (1 - r)
            gr = gr + xh.t().mm(dpre_r)
            dpre_z = dnext * (hprev - cand) * z * (1 - z)
            gz = gz + xh.t().mm(dpre_z)
            if cache:
                dprev = dnext * z + drh * r
                dprev = dprev + dpre_r.mm(self.wr[D:].t())
                dnext = dprev + dpre_z.mm(self.wz[D:].t())
        self.wz.grad = gz
        self.wr.grad = gr
        self.wn.grad = gn
        return loss
        """,
    ),
    program(
        "lstm, a weight a gate",
        LSTM,
        """
        T, n, d = X.shape
        dsig = lambda s: s * (1 - s)
        dtanh = lambda s: 1 - s ** 2
        h, c = torch.zeros_like(target[0]), torch.zeros_like(target[0])
        concat, fs, ins, os, gs, cs, hs = [], [], [], [], [], [c], []
        loss = 0
        for t in range(T):
            zx = torch.cat([X[t], h], dim=1)
            f = torch.sigmoid(zx @ self.Wf + self.bf)
            i = torch.sigmoid(zx @ self.Wi)
            o = torch.sigmoid(zx @ self.Wo)
            g = torch.tanh(zx @ self.Wg)
            c = f * c + i * g
            h = o * torch.tanh(c)
            for l, value in zip((concat, fs, ins, os, gs, cs, hs), (zx, f, i, o, g, c, h)):
                l.append(value)
            loss = loss + ((h - target[t]) ** 2).sum() / (T * h.numel())
        for W in (self.Wf, self.Wi, self.Wo, self.Wg, self.bf):
            W.grad = torch.zeros_like(W)
        dh_next = torch.zeros_like(h)
        dc_next = torch.zeros_like(c)
        for t in range(T - 1, -1, -1):
            dh = 2 * (hs[t] - target[t]) / (T * h.numel()) + dh_next
            tc = torch.tanh(cs[t + 1])
            do = dh * tc * dsig(os[t])
            dc = dc_next + dh * os[t] * dtanh(tc)
            df = dc * cs[t] * dsig(fs[t])
            di = dc * gs[t] * dsig(ins[t])
            dg = dc * ins[t] * dtanh(gs[t])
            self.Wf.grad += concat[t].T @ df
            self.Wi.grad += concat[t].T @ di
            self.Wo.grad += concat[t].T @ do
            self.Wg.grad += concat[t].T @ dg
            self.bf.grad += df.sum(0)
            if t == 0:
                break
            dz = df @ self.Wf.T + di @ self.Wi.T + do @ self.Wo.T + dg @ self.Wg.T
            dh_next = dz[:, d:]
            dc_next = fs[t] * dc
        return loss
        """,
    ),
    program(
        "minimal gated net with nll",
        MINIMAL,
        """
        N, L, _ = x.shape
        gate = torch.sigmoid(x @ self.U)
        cand = x @ self.V
        states = [gate[:, 0] * cand[:, 0]]
        for t in range(1, L):
            states.append(states[-1] + gate[:, t] * (cand[:, t] - states[-1]))
        H = torch.stack(states, dim=1)
        del states
        logp = torch.log_softmax(H @ self.out, dim=2)
        nll = -logp.gather(2, y.unsqueeze(2)).sum() / (N * L)
        onehot = F.one_hot(y, num_classes=logp.size(2)).to(logp.dtype)
        dlogits = (torch.exp(logp) - onehot) / (N * L)
        del logp, onehot
        self.out.grad = torch.einsum('nlh,nlk->hk', H, dlogits)
        dH = dlogits @ self.out.T
        del dlogits
        dgate, dcand = torch.empty_like(gate), torch.empty_like(cand)
        carry = torch.zeros_like(cand[:, 0])
        for t in range(L - 1, 0, -1):
            carry = carry + dH[:, t]
            dgate[:, t] = carry * (cand[:, t] - H[:, t - 1])
            dcand[:, t] = carry * gate[:, t]
            carry = carry * (1 - gate[:, t])
        del H
        carry = carry + dH[:, 0]
        del dH
        dgate[:, 0] = carry * cand[:, 0]
        del cand
        dcand[:, 0] = carry * gate[:, 0]
        del carry
        self.V.grad = torch.einsum('nld,nlh->dh', x, dcand)
        del dcand
        dgate *= gate * (1 - gate)
        del gate
        self.U.grad = torch.einsum('nld,nlh->dh', x, dgate)
        return nll
        """,
    ),
)
