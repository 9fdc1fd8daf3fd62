"""Right passes on embeddings and models with two branches, as others than the search's author write
them: pairs of words, users and films, images and texts, an encoder with its decoder."""

from tensor_programs import program

TIED = """
BELOW = {"idx": "v", "targets": "v"}
def v1(
    idx: Int[Tensor, "b"], targets: Int[Tensor, "b"], pos: Float[Tensor, "b c"], *,
    wte: Float[Tensor, "v c"], w: Float[Tensor, "c c"],
):
    return F.cross_entropy(torch.tanh((wte[idx] + pos) @ w) @ wte.T, targets)
"""
BAG = """
BELOW = {"tokens": "V"}
RANGES = {"labels": ((0, 1),)}
def v1(
    tokens: Int[Tensor, "N 3"], labels: Float[Tensor, "N"], *,
    emb: Float[Tensor, "V D"], fc: Float[Tensor, "D"], bias: Float[Tensor, "1"],
):
    logit = emb[tokens].mean(1) @ fc + bias
    return F.binary_cross_entropy_with_logits(logit, labels)
"""
SKIP_GRAM = """
BELOW = {"center": "v", "outside": "v", "negative": "v"}
def v1(
    center: Int[Tensor, "b"], outside: Int[Tensor, "b"], negative: Int[Tensor, "b k"],
    near: Float[Tensor, "b"], *,
    V: Float[Tensor, "v d"], U: Float[Tensor, "v d"],
):
    vc = V[center]
    right = F.logsigmoid((vc * U[outside]).sum(1))
    wrong = F.logsigmoid(-(U[negative] * vc[:, None]).sum(2)).sum(1)
    return -(near * (right + wrong)).mean()
"""
FACTORS = """
BELOW = {"users": "u", "items": "m"}
def v1(
    users: Int[Tensor, "n"], items: Int[Tensor, "n"], ratings: Float[Tensor, "n"], *,
    P: Float[Tensor, "u f"], Q: Float[Tensor, "m f"], bu: Float[Tensor, "u"],
):
    pred = (P[users] * Q[items]).sum(1) + bu[users]
    return ((pred - ratings) ** 2).mean() + 0.02 * ((P ** 2).sum() + (Q ** 2).sum())
"""
COSINE = """
def v1(
    a: Float[Tensor, "n d"], b: Float[Tensor, "n d"], y: Float[Tensor, "n"], *,
    W: Float[Tensor, "d k"],
):
    return ((F.cosine_similarity(a @ W, b @ W, dim=1) - y) ** 2).mean()
"""
BILINEAR = """
RANGES = {"y": ((0, 1),)}
def v1(
    left: Float[Tensor, "n d"], right: Float[Tensor, "n e"], y: Float[Tensor, "n"], *,
    A: Float[Tensor, "d e"], c: Float[Tensor, ""],
):
    s = torch.einsum("nd,de,ne->n", left, A, right) + c
    return F.binary_cross_entropy_with_logits(s, y)
"""
CONTRASTIVE = """
def v1(
    image: Float[Tensor, "n i"], text: Float[Tensor, "n t"], *,
    Wi: Float[Tensor, "i e"], Wt: Float[Tensor, "t e"], scale: Float[Tensor, ""],
):
    logits = (image @ Wi) @ (text @ Wt).T * torch.exp(scale)
    rows, columns = F.log_softmax(logits, 1), F.log_softmax(logits, 0)
    return -(rows.diagonal().mean() + columns.diagonal().mean()) / 2
"""
VAE = """
def v1(
    x: Float[Tensor, "n d"], eps: Float[Tensor, "n z"], *,
    We: Float[Tensor, "d h"], Wm: Float[Tensor, "h z"], Wv: Float[Tensor, "h z"],
    Wd: Float[Tensor, "z d"],
):
    h = torch.tanh(x @ We)
    mu, logvar = h @ Wm, h @ Wv
    recon = (mu + eps * torch.exp(0.5 * logvar)) @ Wd
    kld = -0.5 * (1 + logvar - mu ** 2 - logvar.exp()).sum()
    return (((recon - x) ** 2).sum() + kld) / x.shape[0]
"""
AUTOENCODER = """
RANGES = {"x": ((0.1, 0.9),)}
def v1(
    x: Float[Tensor, "n d"], *, W: Float[Tensor, "d h"], bh: Float[Tensor, "h"],
    bv: Float[Tensor, "d"],
):
    code = torch.sigmoid(x @ W + bh)
    logits = code @ W.T + bv
    return F.binary_cross_entropy_with_logits(logits, x, reduction="sum") / len(x)
"""
TRIPLET = """
def v1(
    anchor: Float[Tensor, "n d"], pos: Float[Tensor, "n d"], neg: Float[Tensor, "n d"], *,
    W: Float[Tensor, "d k"],
):
    closer = ((anchor @ W - pos @ W) ** 2).sum(1)
    return torch.relu(closer - ((anchor @ W - neg @ W) ** 2).sum(1) + 0.5).mean()
"""
EMBEDDINGS = (
    program(
        "tied weights",
        TIED,
        """
        B = idx.shape[0]
        tok = self.wte[idx] + pos
        h = torch.tanh(tok @ self.w)
        logits = h @ self.wte.T
        probs = F.softmax(logits, dim=-1)
        loss = F.nll_loss(torch.log(probs), targets)
        dlogits = (probs - F.one_hot(targets, logits.size(-1))) / B
        dwte = dlogits.T @ h
        dh = dlogits @ self.wte
        dpre = dh * (1 - h.square())
        self.w.grad = tok.T @ dpre
        dtok = dpre @ self.w.T
        dwte.index_add_(0, idx, dtok)
        self.wte.grad = dwte
        return loss
        """,
    ),
    program(
        "mean of a bag",
        BAG,
        """
        N, L = tokens.shape
        vectors = self.emb[tokens]
        pooled = vectors.sum(dim=1) / L
        p = torch.sigmoid(pooled @ self.fc + self.bias)
        loss = -(labels * p.log() + (1 - labels) * (1 - p).log()).sum() / N
        dlogit = (p - labels) / N
        self.fc.grad = pooled.T @ dlogit
        self.bias.grad = dlogit.sum(0, keepdim=True)
        dpooled = dlogit[:, None] * self.fc[None, :]
        dvectors = (dpooled / L)[:, None, :].expand(N, L, -1).reshape(N * L, -1)
        demb = torch.zeros_like(self.emb)
        demb.index_add_(0, tokens.reshape(-1), dvectors)
        self.emb.grad = demb
        return loss
        """,
    ),
    program(
        "skip-gram with negatives",
        SKIP_GRAM,
        """
        B, K = negative.shape
        vc, uo, uk = self.V[center], self.U[outside], self.U[negative]
        pos = torch.sigmoid((vc * uo).sum(dim=1))
        neg = torch.sigmoid(-torch.einsum("bd,bkd->bk", vc, uk))
        loss = -(near * (torch.log(pos) + torch.log(neg).sum(dim=1))).sum() / B
        gpos = near * (pos - 1) / B
        gneg = near[:, None] * (1 - neg) / B
        dvc = gpos[:, None] * uo + (gneg[:, :, None] * uk).sum(dim=1)
        duo = gpos[:, None] * vc
        duk = gneg[:, :, None] * vc[:, None, :]
        gradV = torch.zeros_like(self.V)
        gradV.index_add_(0, center, dvc)
        gradU = torch.zeros_like(self.U)
        gradU.index_add_(0, outside, duo)
        gradU.index_add_(0, negative.reshape(-1), duk.reshape(B * K, -1))
        self.V.grad, self.U.grad = gradV, gradU
        return loss
        """,
    ),
    program(
        "factors of ratings",
        FACTORS,
        """
        lam = 0.02
        n = ratings.shape[0]
        P, Q = self.P, self.Q
        gradP, gradQ, gradb = 2 * lam * P, 2 * lam * Q, torch.zeros_like(self.bu)
        loss = lam * (torch.sum(P ** 2) + torch.sum(Q ** 2))
        for i in range(n):
            u, m = users[i], items[i]
            err = torch.dot(P[u], Q[m]) + self.bu[u] - ratings[i]
            loss = loss + err ** 2 / n
            gradP[u] += 2 / n * err * Q[m]
            gradQ[m] += 2 / n * err * P[u]
            gradb[u] += 2 / n * err
        P.grad = gradP
        Q.grad = gradQ
        self.bu.grad = gradb
        return loss
        """,
    ),
    program(
        "cosine of twins",
        COSINE,
        """
        u = a @ self.W
        v = b @ self.W
        nu = u.norm(dim=1, keepdim=True)
        nv = v.norm(dim=1, keepdim=True)
        cos = (u * v).sum(1, keepdim=True) / (nu * nv)
        diff = cos.squeeze(1) - y
        loss = (diff ** 2).mean()
        dcos = (2 * diff / diff.shape[0]).unsqueeze(1)
        du = dcos * (v / (nu * nv) - cos * u / nu ** 2)
        dv = dcos * (u / (nu * nv) - cos * v / nv ** 2)
        dW = a.T @ du
        dW += b.T @ dv
        self.W.grad = dW
        return loss
        """,
    ),
    program(
        "bilinear form",
        BILINEAR,
        """
        Ar = right @ self.A.T
        score = (left * Ar).sum(dim=1) + self.c
        prob = torch.sigmoid(score)
        loss = -(y * torch.log(prob) + (1 - y) * torch.log(1 - prob)).mean()
        dprob = (prob - y) / (prob * (1 - prob)) / y.size(0)
        dscore = dprob * prob * (1 - prob)
        self.A.grad = torch.einsum("n,nd,ne->de", dscore, left, right)
        self.c.grad = dscore.sum()
        return loss
        """,
    ),
    program(
        "images and texts",
        CONTRASTIVE,
        """
        N = image.shape[0]
        I_e = image @ self.Wi
        T_e = text @ self.Wt
        sims = I_e @ T_e.T
        temp = torch.exp(self.scale)
        logits = sims * temp
        labels = torch.arange(N)
        p_i = F.softmax(logits, dim=1)
        p_t = F.softmax(logits, dim=0)
        loss_i = -torch.log(p_i[labels, labels]).mean()
        loss_t = -torch.log(p_t[labels, labels]).mean()
        loss = (loss_i + loss_t) / 2
        eye = torch.eye(N, dtype=image.dtype)
        dlogits = ((p_i - eye) / N + (p_t - eye) / N) / 2
        dsims = dlogits * temp
        self.scale.grad = (dlogits * logits).sum()
        self.Wi.grad = image.T @ (dsims @ T_e)
        self.Wt.grad = text.T @ (dsims.T @ I_e)
        return loss
        """,
    ),
    program(
        "variational autoencoder",
        VAE,
        """
        batch_size = x.size(0)
        h = torch.tanh(x @ self.We)
        mu = h @ self.Wm
        logvar = h @ self.Wv
        std = torch.exp(logvar / 2)
        z = mu + eps * std
        x_hat = z @ self.Wd
        recon_loss = torch.sum((x_hat - x) ** 2) / batch_size
        kl_loss = 0.5 * torch.sum(torch.exp(logvar) + mu ** 2 - 1 - logvar) / batch_size
        loss = recon_loss + kl_loss
        dx_hat = 2 * (x_hat - x) / batch_size
        dWd = z.T @ dx_hat
        dz = dx_hat @ self.Wd.T
        dmu = dz + mu / batch_size
        dstd = dz * eps
        dlogvar = dstd * std / 2
        dlogvar = dlogvar + 0.5 * (torch.exp(logvar) - 1) / batch_size
        dh = dmu @ self.Wm.T + dlogvar @ self.Wv.T
        dWe = x.T @ (dh * (1 - h ** 2))
        self.We.grad, self.Wd.grad = dWe, dWd
        self.Wm.grad, self.Wv.grad = h.T @ dmu, h.T @ dlogvar
        return loss
        """,
    ),
    program(
        "autoencoder with one matrix",
        AUTOENCODER,
        """
        n = x.shape[0]
        hid = torch.sigmoid(x @ self.W + self.bh)
        rec = torch.sigmoid(hid @ self.W.t() + self.bv)
        cost = -torch.sum(x * torch.log(rec) + (1 - x) * torch.log(1 - rec)) / n
        delta_out = (rec - x) / n
        grad_bv = delta_out.sum(dim=0)
        delta_hid = (delta_out @ self.W) * hid * (1 - hid)
        grad_bh = delta_hid.sum(dim=0)
        grad_W = delta_out.t() @ hid
        grad_W += x.t() @ delta_hid
        self.W.grad = grad_W
        self.bh.grad = grad_bh
        self.bv.grad = grad_bv
        return cost
        """,
    ),
    program(
        "triplets",
        TRIPLET,
        """
        n = anchor.size(0)
        fa, fp, fn = anchor @ self.W, pos @ self.W, neg @ self.W
        d_pos = torch.sum((fa - fp) ** 2, dim=1)
        d_neg = torch.sum((fa - fn) ** 2, dim=1)
        losses = torch.clamp(d_pos - d_neg + 0.5, min=0)
        loss = losses.sum() / n
        active = (losses > 0).to(fa.dtype).unsqueeze(1) / n
        dfa = 2 * (fn - fp) * active
        dfp = -2 * (fa - fp) * active
        dfn = 2 * (fa - fn) * active
        self.W.grad = anchor.t() @ dfa + pos.t() @ dfp + neg.t() @ dfn
        return loss
        """,
    ),
)
