"""Right passes on sequences, as others than the search's author write them: a language model step
by step, recurrent steps with caches."""

from tensor_programs import program

CHARACTERS = """
BELOW = {"Xb": "v", "Yb": "v"}
SIZES = {"n": (2, 8)}
def v1(
    Xb: Int[Tensor, "n 3"], Yb: Int[Tensor, "n"], pos: Float[Tensor, "3 e"], *,
    C: Float[Tensor, "v e"], W1: Float[Tensor, "3*e h"],
    bngain: Float[Tensor, "1 h"], bnbias: Float[Tensor, "1 h"],
    W2: Float[Tensor, "h v"], b2: Float[Tensor, "v"],
):
    hprebn = (C[Xb] + pos).flatten(1) @ W1
    bnvar_inv = (hprebn.var(0, keepdim=True) + 0.01) ** -0.5
    hpreact = bngain * (hprebn - hprebn.mean(0, keepdim=True)) * bnvar_inv + bnbias
    return F.cross_entropy(torch.tanh(hpreact) @ W2 + b2, Yb)
"""
RNN = """
def v1(
    x: Float[Tensor, "N 3 D"], h0: Float[Tensor, "N H"], dh: Float[Tensor, "N 3 H"], *,
    Wx: Float[Tensor, "D H"], Wh: Float[Tensor, "H H"], b: Float[Tensor, "H"],
):
    h, loss = h0, 0
    for t in range(3):
        h = torch.tanh(x[:, t] @ Wx + h @ Wh + b)
        loss = loss + (h * dh[:, t]).sum()
    return loss
"""
TEXT = """
BELOW = {"inputs": "v", "targets": "v"}
def v1(
    inputs: Int[Tensor, "3"], targets: Int[Tensor, "3"], hprev: Float[Tensor, "h 1"], *,
    Wxh: Float[Tensor, "h v"], Whh: Float[Tensor, "h h"], Why: Float[Tensor, "v h"],
    bh: Float[Tensor, "h 1"], by: Float[Tensor, "v 1"],
):
    h, loss = hprev, 0
    for t in range(3):
        h = torch.tanh(Wxh[:, inputs[t]][:, None] + Whh @ h + bh)
        loss = loss + F.cross_entropy((Why @ h + by).T, targets[t][None])
    return loss
"""
LSTM_STEPS = """
def v1(
    x1: Float[Tensor, "N D"], x2: Float[Tensor, "N D"], h0: Float[Tensor, "N H"],
    c0: Float[Tensor, "N H"], dh: Float[Tensor, "N H"], *,
    W: Float[Tensor, "D+H 4*H"], b: Float[Tensor, "4*H"],
):
    h, c = h0, c0
    for x in (x1, x2):
        i, f, o, g = (torch.cat([x, h], 1) @ W + b).chunk(4, 1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
    return (h * dh).sum()
"""
GRU = """
def v1(
    X: Float[Tensor, "n d"], H: Float[Tensor, "n h"], Y: Float[Tensor, "n h"], *,
    Wxz: Float[Tensor, "d h"], Whz: Float[Tensor, "h h"], bz: Float[Tensor, "h"],
    Wxr: Float[Tensor, "d h"], Whr: Float[Tensor, "h h"],
    Wxh: Float[Tensor, "d h"], Whh: Float[Tensor, "h h"],
):
    Z = torch.sigmoid(X @ Wxz + H @ Whz + bz)
    R = torch.sigmoid(X @ Wxr + H @ Whr)
    tilde = torch.tanh(X @ Wxh + (R * H) @ Whh)
    return 0.5 * ((Z * H + (1 - Z) * tilde - Y) ** 2).sum() / X.shape[0]
"""
SEQUENCES = (
    program(
        "characters, step by step",
        CHARACTERS,
        """
        n = Xb.shape[0]
        C, W1, W2, b2 = self.C, self.W1, self.W2, self.b2
        emb = C[Xb] + pos
        embcat = emb.view(emb.shape[0], -1)
        hprebn = embcat @ W1
        bnmeani = 1/n*hprebn.sum(0, keepdim=True)
        bndiff = hprebn - bnmeani
        bndiff2 = bndiff**2
        bnvar = 1/(n-1)*(bndiff2).sum(0, keepdim=True)
        bnvar_inv = (bnvar + 0.01)**-0.5
        bnraw = bndiff * bnvar_inv
        hpreact = self.bngain * bnraw + self.bnbias
        h = torch.tanh(hpreact)
        logits = h @ W2 + b2
        logit_maxes = logits.max(1, keepdim=True).values
        norm_logits = logits - logit_maxes
        counts = norm_logits.exp()
        counts_sum = counts.sum(1, keepdim=True)
        counts_sum_inv = counts_sum**-1
        probs = counts * counts_sum_inv
        logprobs = probs.log()
        loss = -logprobs[range(n), Yb].mean()
        dlogprobs = torch.zeros_like(logprobs)
        dlogprobs[range(n), Yb] = -1.0/n
        dprobs = (1.0 / probs) * dlogprobs
        dcounts_sum_inv = (counts * dprobs).sum(1, keepdim=True)
        dcounts = counts_sum_inv * dprobs
        dcounts_sum = (-counts_sum**-2) * dcounts_sum_inv
        dcounts += torch.ones_like(counts) * dcounts_sum
        dnorm_logits = counts * dcounts
        dlogits = dnorm_logits.clone()
        dlogit_maxes = (-dnorm_logits).sum(1, keepdim=True)
        dlogits[range(n), logits.max(1).indices] += dlogit_maxes.view(-1)
        dh = dlogits @ W2.T
        dW2 = h.T @ dlogits
        db2 = dlogits.sum(0)
        dhpreact = (1.0 - h**2) * dh
        dbngain = (bnraw * dhpreact).sum(0, keepdim=True)
        dbnraw = self.bngain * dhpreact
        dbnbias = dhpreact.sum(0, keepdim=True)
        dbndiff = bnvar_inv * dbnraw
        dbnvar_inv = (bndiff * dbnraw).sum(0, keepdim=True)
        dbnvar = (-0.5*(bnvar + 0.01)**-1.5) * dbnvar_inv
        dbndiff2 = (1.0/(n-1))*torch.ones_like(bndiff2) * dbnvar
        dbndiff += (2*bndiff) * dbndiff2
        dhprebn = dbndiff.clone()
        dbnmeani = (-dbndiff).sum(0)
        dhprebn += 1.0/n * (torch.ones_like(hprebn) * dbnmeani)
        dembcat = dhprebn @ W1.T
        dW1 = embcat.T @ dhprebn
        demb = dembcat.view(emb.shape)
        dC = torch.zeros_like(C)
        for k in range(Xb.shape[0]):
            for j in range(Xb.shape[1]):
                ix = Xb[k, j]
                dC[ix] += demb[k, j]
        C.grad, W1.grad, W2.grad, b2.grad = dC, dW1, dW2, db2
        self.bngain.grad, self.bnbias.grad = dbngain, dbnbias
        return loss
        """,
    ),
    program(
        "characters, in short",
        CHARACTERS,
        """
        n = Xb.shape[0]
        emb = self.C[Xb] + pos
        embcat = emb.view(n, -1)
        hprebn = embcat @ self.W1
        bnvar_inv = (hprebn.var(0, keepdim=True, unbiased=True) + 0.01)**-0.5
        bnraw = (hprebn - hprebn.mean(0, keepdim=True)) * bnvar_inv
        h = torch.tanh(self.bngain * bnraw + self.bnbias)
        logits = h @ self.W2 + self.b2
        logprobs = F.log_softmax(logits, 1)
        loss = -logprobs[torch.arange(n), Yb].mean()
        dlogits = F.softmax(logits, 1)
        dlogits[range(n), Yb] -= 1
        dlogits /= n
        dhpreact = (1.0 - h**2) * (dlogits @ self.W2.T)
        dgain = (bnraw * dhpreact).sum(0, keepdim=True)
        dbias = dhpreact.sum(0, keepdim=True)
        dhprebn = self.bngain*bnvar_inv/n * (n*dhpreact - dbias - n/(n-1)*bnraw*dgain)
        demb = (dhprebn @ self.W1.T).view(n, 3, -1)
        dC = torch.einsum("ntv,nte->ve", F.one_hot(Xb, self.C.shape[0]).to(demb.dtype), demb)
        grads = [dC, embcat.T @ dhprebn, h.T @ dlogits, dlogits.sum(0)]
        params = [self.C, self.W1, self.W2, self.b2]
        for p, grad in zip(params, grads):
            p.grad = grad
        self.bngain.grad = dgain
        self.bnbias.grad = dbias
        return loss
        """,
    ),
    program(
        "rnn with caches",
        RNN,
        """
        Wx, Wh, b = self.Wx, self.Wh, self.b
        N, T, D = x.shape
        prev_h, cache, hs = h0, [], []
        for t in range(T):
            next_h = torch.tanh(x[:, t, :].mm(Wx) + prev_h.mm(Wh) + b)
            cache.append((x[:, t, :], prev_h, next_h))
            hs.append(next_h)
            prev_h = next_h
        loss = (torch.stack(hs, dim=1) * dh).sum()
        dWx, dWh, db = torch.zeros_like(Wx), torch.zeros_like(Wh), torch.zeros_like(b)
        dprev_h = torch.zeros_like(h0)
        for t in reversed(range(T)):
            xt, ht_prev, ht = cache[t]
            dnext_h = dh[:, t, :] + dprev_h
            dz = (1 - ht * ht) * dnext_h
            dprev_h = dz.mm(Wh.t())
            dWx += xt.t().mm(dz)
            dWh += ht_prev.t().mm(dz)
            db += dz.sum(dim=0)
        Wx.grad, Wh.grad, b.grad = dWx, dWh, db
        return loss
        """,
    ),
    program(
        "text, a column a step",
        TEXT,
        """
        xs, hs, ps = {}, {}, {}
        hs[-1] = hprev.clone()
        loss = 0
        for t in range(len(inputs)):
            xs[t] = F.one_hot(inputs[t], self.Wxh.shape[1]).to(hprev.dtype)[:, None]
            hs[t] = torch.tanh(self.Wxh @ xs[t] + self.Whh @ hs[t - 1] + self.bh)
            yt = self.Why @ hs[t] + self.by
            ps[t] = torch.exp(yt) / torch.sum(torch.exp(yt))
            loss += -torch.log(ps[t][targets[t], 0])
        dWxh, dWhh = torch.zeros_like(self.Wxh), torch.zeros_like(self.Whh)
        dWhy = torch.zeros_like(self.Why)
        dbh, dby = torch.zeros_like(self.bh), torch.zeros_like(self.by)
        dhnext = torch.zeros_like(hs[0])
        for t in reversed(range(len(inputs))):
            dy = ps[t].clone()
            dy[targets[t]] -= 1
            dWhy += dy @ hs[t].T
            dby += dy
            dh = self.Why.T @ dy + dhnext
            dhraw = (1 - hs[t] * hs[t]) * dh
            dbh += dhraw
            dWxh += dhraw @ xs[t].T
            dWhh += dhraw @ hs[t - 1].T
            dhnext = self.Whh.T @ dhraw
        self.Wxh.grad, self.Whh.grad, self.Why.grad = dWxh, dWhh, dWhy
        self.bh.grad, self.by.grad = dbh, dby
        return loss
        """,
    ),
    program(
        "lstm, two steps by slices",
        LSTM_STEPS,
        """
        H = h0.shape[1]
        W, b = self.W, self.b
        h, c, cache = h0, c0, []
        for x in (x1, x2):
            xh = torch.cat((x, h), dim=1)
            a = xh.mm(W) + b
            i, f = torch.sigmoid(a[:, :H]), torch.sigmoid(a[:, H:2 * H])
            o, g = torch.sigmoid(a[:, 2 * H:3 * H]), torch.tanh(a[:, 3 * H:])
            prev_c = c
            c = f * prev_c + i * g
            tanh_c = torch.tanh(c)
            h = o * tanh_c
            cache.append((xh, i, f, o, g, prev_c, tanh_c))
        loss = (h * dh).sum()
        dW, db = torch.zeros_like(W), torch.zeros_like(b)
        dnext_h, dnext_c = dh, torch.zeros_like(c0)
        for xh, i, f, o, g, prev_c, tanh_c in reversed(cache):
            dc = dnext_c + dnext_h * o * (1 - tanh_c ** 2)
            da_i = dc * g * i * (1 - i)
            da_f = dc * prev_c * f * (1 - f)
            da_o = dnext_h * tanh_c * o * (1 - o)
            da_g = dc * i * (1 - g ** 2)
            da = torch.cat((da_i, da_f, da_o, da_g), dim=1)
            dW += xh.t().mm(da)
            db += da.sum(dim=0)
            dnext_h = da.mm(W.t())[:, -H:]
            dnext_c = dc * f
        self.W.grad = dW
        self.b.grad = db
        return loss
        """,
    ),
    program(
        "lstm, two steps by chunks",
        LSTM_STEPS,
        """
        D, H = x1.size(1), h0.size(1)
        in1 = torch.cat([x1, h0], 1)
        i1, f1, o1, g1 = torch.chunk(in1 @ self.W + self.b, 4, dim=1)
        i1, f1, o1, g1 = i1.sigmoid(), f1.sigmoid(), o1.sigmoid(), g1.tanh()
        c1 = f1 * c0 + i1 * g1
        h1 = o1 * c1.tanh()
        in2 = torch.cat([x2, h1], 1)
        i2, f2, o2, g2 = torch.chunk(in2 @ self.W + self.b, 4, dim=1)
        i2, f2, o2, g2 = i2.sigmoid(), f2.sigmoid(), o2.sigmoid(), g2.tanh()
        c2 = f2 * c1 + i2 * g2
        tc2 = c2.tanh()
        h2 = o2 * tc2
        loss = torch.sum(h2 * dh)
        do2 = dh * tc2 * o2 * (1 - o2)
        dc2 = dh * o2 * (1 - tc2.pow(2))
        di2 = dc2 * g2 * i2 * (1 - i2)
        df2 = dc2 * c1 * f2 * (1 - f2)
        dg2 = dc2 * i2 * (1 - g2.pow(2))
        dz2 = torch.cat([di2, df2, do2, dg2], 1)
        dh1 = (dz2 @ self.W.T)[:, D:]
        tc1 = c1.tanh()
        dc1 = dc2 * f2 + dh1 * o1 * (1 - tc1.pow(2))
        do1 = dh1 * tc1 * o1 * (1 - o1)
        di1 = dc1 * g1 * i1 * (1 - i1)
        df1 = dc1 * c0 * f1 * (1 - f1)
        dg1 = dc1 * i1 * (1 - g1.pow(2))
        dz1 = torch.cat([di1, df1, do1, dg1], 1)
        self.W.grad = in1.T @ dz1 + in2.T @ dz2
        self.b.grad = (dz1 + dz2).sum(0)
        return loss
        """,
    ),
    program(
        "gru",
        GRU,
        """
        n = X.shape[0]
        Z = torch.sigmoid(torch.matmul(X, self.Wxz) + torch.matmul(H, self.Whz) + self.bz)
        R = torch.sigmoid(torch.matmul(X, self.Wxr) + torch.matmul(H, self.Whr))
        RH = R * H
        H_tilde = torch.tanh(torch.matmul(X, self.Wxh) + torch.matmul(RH, self.Whh))
        H_new = Z * H + (1 - Z) * H_tilde
        loss = 0.5 * torch.sum((H_new - Y) ** 2) / n
        dH_new = (H_new - Y) / n
        dZ = dH_new * (H - H_tilde)
        dH_tilde = dH_new * (1 - Z)
        da_h = dH_tilde * (1 - H_tilde ** 2)
        self.Wxh.grad = torch.matmul(X.T, da_h)
        self.Whh.grad = torch.matmul(RH.T, da_h)
        dR = torch.matmul(da_h, self.Whh.T) * H
        da_r = dR * R * (1 - R)
        self.Wxr.grad = torch.matmul(X.T, da_r)
        self.Whr.grad = torch.matmul(H.T, da_r)
        da_z = dZ * Z * (1 - Z)
        self.Wxz.grad = torch.matmul(X.T, da_z)
        self.Whz.grad = torch.matmul(H.T, da_z)
        self.bz.grad = torch.sum(da_z, dim=0)
        return loss
        """,
    ),
)
