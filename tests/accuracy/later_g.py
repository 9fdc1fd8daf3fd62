"""Right passes on tensors by an author who has not seen the search: tables of vectors, and losses
of pairs and triples."""

from tensor_programs import program

NEGATIVES = """
BELOW = {"center": "v", "outside": "v", "negative": "v"}
def v1(
    center: Int[Tensor, "n"], outside: Int[Tensor, "n"], negative: Int[Tensor, "n k"],
    s: Float[Tensor, "n"], *, V: Float[Tensor, "v d"], U: Float[Tensor, "v d"],
):
    pos = (V[center] * U[outside]).sum(1)
    neg = torch.einsum("nd,nkd->nk", V[center], U[negative])
    return (s * (F.softplus(-pos) + F.softplus(neg).sum(1))).sum() / len(s)
"""
BAG = """
BELOW = {"context": "v", "word": "v"}
def v1(
    context: Int[Tensor, "n m"], word: Int[Tensor, "n"], bias: Float[Tensor, "v"], *,
    E: Float[Tensor, "v d"], O: Float[Tensor, "d v"],
):
    return F.cross_entropy(E[context].mean(1) @ O + bias, word)
"""
GLOVE = """
BELOW = {"i": "v", "j": "v"}
RANGES = {"count": ((1, 20), (0.5, 3))}
def v1(
    i: Int[Tensor, "n"], j: Int[Tensor, "n"], count: Float[Tensor, "n"], *,
    W: Float[Tensor, "v d"], C: Float[Tensor, "v d"],
    bw: Float[Tensor, "v"], bc: Float[Tensor, "v"],
):
    f = torch.clamp((count / 10) ** 0.75, max=1)
    e = (W[i] * C[j]).sum(1) + bw[i] + bc[j] - torch.log(count)
    return 0.5 * (f * e ** 2).sum()
"""
FACTORS = """
BELOW = {"user": "u", "item": "m"}
def v1(
    user: Int[Tensor, "n"], item: Int[Tensor, "n"], rating: Float[Tensor, "n"], *,
    P: Float[Tensor, "u k"], Q: Float[Tensor, "m k"],
    bu: Float[Tensor, "u"], bi: Float[Tensor, "m"], mu: Float[Tensor, ""],
):
    pred = 1 + 4 * torch.sigmoid((P[user] * Q[item]).sum(1) + bu[user] + bi[item] + mu)
    return ((pred - rating) ** 2).mean() + 0.02 * ((P ** 2).sum() + (Q ** 2).sum())
"""
TRIPLET = """
def v1(
    a: Float[Tensor, "n d"], p: Float[Tensor, "n d"], q: Float[Tensor, "n d"], *,
    W: Float[Tensor, "d k"], b: Float[Tensor, "k"],
):
    fa, fp, fq = torch.tanh(a @ W + b), torch.tanh(p @ W + b), torch.tanh(q @ W + b)
    gap = ((fa - fp) ** 2).sum(1) - ((fa - fq) ** 2).sum(1) + 0.5
    return torch.relu(gap).mean()
"""
SIAMESE = """
BELOW = {"same": 2}
def v1(
    x1: Float[Tensor, "n d"], x2: Float[Tensor, "n d"], same: Int[Tensor, "n"], *,
    W: Float[Tensor, "k d"], b: Float[Tensor, "k"],
):
    f1, f2 = F.relu(x1 @ W.T + b), F.relu(x2 @ W.T + b)
    dist = torch.sqrt(((f1 - f2) ** 2).sum(1) + 0.1)
    return (same * dist ** 2 + (1 - same) * F.relu(2 - dist) ** 2).mean() / 2
"""
CONTRAST = """
def v1(
    img: Float[Tensor, "n d"], txt: Float[Tensor, "n e"], *,
    Wi: Float[Tensor, "d k"], Wt: Float[Tensor, "e k"], t: Float[Tensor, ""],
):
    u, v = img @ Wi, txt @ Wt
    u = u / torch.sqrt((u * u).sum(1, keepdim=True) + 0.1)
    v = v / torch.sqrt((v * v).sum(1, keepdim=True) + 0.1)
    logits, own = torch.exp(t / 2) * u @ v.T, torch.arange(img.shape[0])
    return (F.cross_entropy(logits, own) + F.cross_entropy(logits.T, own)) / 2
"""
BPR = """
BELOW = {"u": "a", "i": "b", "j": "b"}
def v1(
    u: Int[Tensor, "n"], i: Int[Tensor, "n"], j: Int[Tensor, "n"], feats: Float[Tensor, "b f"], *,
    U: Float[Tensor, "a k"], I: Float[Tensor, "b k"], beta: Float[Tensor, "f"],
):
    better = (U[u] * (I[i] - I[j])).sum(1) + (feats[i] - feats[j]) @ beta
    squares = (U[u] ** 2).sum() + (I[i] ** 2).sum() + (I[j] ** 2).sum()
    return -F.logsigmoid(better).sum() + 0.01 * squares
"""
SECOND_ORDER = """
BELOW = {"y": 2}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    w0: Float[Tensor, ""], w: Float[Tensor, "d"], V: Float[Tensor, "d k"],
):
    pairs = 0.5 * ((x @ V) ** 2 - (x ** 2) @ (V ** 2)).sum(1)
    return F.binary_cross_entropy_with_logits(w0 + x @ w + pairs, y.to(x.dtype))
"""

TABLES = (
    program(
        "skip-gram with negatives",
        NEGATIVES,
        """
        n, K = negative.shape
        loss = 0
        gradV = torch.zeros_like(self.V)
        gradU = torch.zeros_like(self.U)
        for r in range(n):
            v_c = self.V[center[r]]
            u_o = self.U[outside[r]]
            good = torch.sigmoid(u_o @ v_c)
            loss = loss - s[r] * torch.log(good)
            coef = s[r] * (good - 1) / n
            g_center = coef * u_o
            gradU[outside[r]] += coef * v_c
            for k in range(K):
                u_k = self.U[negative[r, k]]
                bad = torch.sigmoid(-(u_k @ v_c))
                loss = loss - s[r] * torch.log(bad)
                coef_k = s[r] * (1 - bad) / n
                g_center = g_center + coef_k * u_k
                gradU[negative[r, k]] += coef_k * v_c
            gradV[center[r]] += g_center
        self.V.grad = gradV
        self.U.grad = gradU
        return loss / n
        """,
    ),
    program(
        "bag of context words",
        BAG,
        """
        n, m = context.shape
        hidden = self.E[context].sum(dim=1) / m
        u = hidden @ self.O + bias
        u = u - u.max(dim=1, keepdim=True).values
        y_pred = torch.exp(u) / torch.exp(u).sum(dim=1, keepdim=True)
        t = F.one_hot(word, num_classes=self.O.shape[1])
        loss = -(t * y_pred.log()).sum() / n
        EI = (y_pred - t) / n
        self.O.grad = torch.einsum("nd,nv->dv", hidden, EI)
        EH = EI @ self.O.T
        EH = EH / m
        dE = torch.zeros_like(self.E)
        for pos in range(m):
            dE.index_add_(0, context[:, pos], EH)
        self.E.grad = dE
        return loss
        """,
    ),
    program(
        "co-occurrence counts",
        GLOVE,
        """
        wi, cj = self.W[i], self.C[j]
        ratio = (count / 10) ** 0.75
        weight = torch.where(ratio < 1, ratio, torch.ones_like(ratio))
        inner = torch.einsum("nd,nd->n", wi, cj)
        diff = inner + self.bw[i] + self.bc[j]
        diff = diff - count.log()
        fdiff = weight * diff
        cost = 0.5 * (fdiff * diff).sum()
        g = fdiff.unsqueeze(1)
        dW = torch.zeros_like(self.W)
        dC = torch.zeros_like(self.C)
        dW.index_add_(0, i, g * cj)
        dC.index_add_(0, j, g * wi)
        self.W.grad = dW
        self.C.grad = dC
        self.bw.grad = torch.zeros_like(self.bw).index_add_(0, i, fdiff)
        self.bc.grad = torch.zeros_like(self.bc).index_add_(0, j, fdiff)
        return cost
        """,
    ),
    program(
        "ratings in a range",
        FACTORS,
        """
        lam = 0.02
        n = rating.shape[0]
        users = F.one_hot(user, self.P.shape[0]).to(rating.dtype)
        items = F.one_hot(item, self.Q.shape[0]).to(rating.dtype)
        pu, qi = users @ self.P, items @ self.Q
        raw = (pu * qi).sum(1) + users @ self.bu + items @ self.bi + self.mu
        sig = torch.sigmoid(raw)
        del raw
        err = 1 + 4 * sig - rating
        loss = err.pow(2).mean()
        loss = loss + lam * (self.P.pow(2).sum() + self.Q.pow(2).sum())
        dsig = 8 * err / n
        del err
        draw = dsig * sig * (1 - sig)
        del sig, dsig
        self.mu.grad = draw.sum()
        self.bu.grad = users.T @ draw
        self.bi.grad = items.T @ draw
        dpu = draw[:, None] * qi
        del qi
        dqi = draw[:, None] * pu
        del pu, draw
        self.P.grad = users.T @ dpu + 2 * lam * self.P
        del dpu
        self.Q.grad = items.T @ dqi + 2 * lam * self.Q
        return loss
        """,
    ),
    program(
        "triplets",
        TRIPLET,
        """
        n = a.shape[0]
        fa = torch.tanh(a @ self.W + self.b)
        fp = torch.tanh(p @ self.W + self.b)
        fq = torch.tanh(q @ self.W + self.b)
        near = fa - fp
        far = fa - fq
        gap = (near ** 2).sum(1) - (far ** 2).sum(1) + 0.5
        loss = gap.clamp(min=0).sum() / n
        dgap = (gap > 0).to(gap.dtype) / n
        gap = None
        dnear = 2 * near * dgap[:, None]
        near = None
        dfar = -2 * far * dgap[:, None]
        far = dgap = None
        dfa = dnear + dfar
        za = dfa * (1 - fa ** 2)
        dfa = fa = None
        zp = -dnear * (1 - fp ** 2)
        fp = dnear = None
        zq = -dfar * (1 - fq ** 2)
        fq = dfar = None
        self.W.grad = a.T @ za + p.T @ zp + q.T @ zq
        self.b.grad = za.sum(0) + zp.sum(0) + zq.sum(0)
        return loss
        """,
    ),
    program(
        "siamese distances",
        SIAMESE,
        """
        margin = 2
        n = x1.shape[0]
        both = torch.cat([x1, x2], dim=0)
        z = both @ self.W.T + self.b
        f = torch.relu(z)
        diff = f[:n] - f[n:]
        dist = torch.sqrt((diff * diff).sum(1) + 0.1)
        short = torch.clamp(margin - dist, min=0)
        pull = same.to(dist.dtype)
        push = 1 - pull
        loss = (pull * dist ** 2 + push * short ** 2).sum() / (2 * n)
        ddist = pull * dist - push * short
        del f, short, pull, push
        ddist = ddist / n
        ddiff = (ddist / dist).view(-1, 1) * diff
        del dist, ddist, diff
        df = torch.cat([ddiff, -ddiff], dim=0)
        dz = df * (z > 0)
        del ddiff, df, z
        self.W.grad = dz.T @ both
        self.b.grad = dz.sum(0)
        return loss
        """,
    ),
    program(
        "contrast of two views",
        CONTRAST,
        """
        n = img.shape[0]
        u, v = img @ self.Wi, txt @ self.Wt
        nu = torch.sqrt((u * u).sum(1, keepdim=True) + 0.1)
        nv = torch.sqrt((v * v).sum(1, keepdim=True) + 0.1)
        uh, vh = u / nu, v / nv
        temp = torch.exp(self.t / 2)
        sim = uh @ vh.T
        logits = temp * sim
        rows = torch.softmax(logits, dim=1)
        cols = torch.softmax(logits, dim=0)
        diag = torch.arange(n)
        loss = -(rows[diag, diag].log().mean() + cols[diag, diag].log().mean()) / 2
        dlogits = rows + cols
        dlogits[diag, diag] -= 2
        dlogits = dlogits / (2 * n)
        self.t.grad = (dlogits * logits).sum() / 2
        dsim = temp * dlogits
        duh, dvh = dsim @ vh, dsim.T @ uh
        du = duh / nu - u * (duh * u).sum(1, keepdim=True) / nu ** 3
        dv = dvh / nv - v * (dvh * v).sum(1, keepdim=True) / nv ** 3
        self.Wi.grad = img.T @ du
        self.Wt.grad = txt.T @ dv
        return loss
        """,
    ),
    program(
        "personalized ranking",
        BPR,
        """
        reg = 0.01
        pu = self.U[u]
        qi, qj = self.I[i], self.I[j]
        apart = qi - qj
        fdiff = feats[i] - feats[j]
        x_uij = (pu * apart).sum(dim=1) + fdiff @ self.beta
        loss = F.softplus(-x_uij).sum()
        loss = loss + reg * (pu.pow(2).sum() + qi.pow(2).sum() + qj.pow(2).sum())
        dx = torch.sigmoid(x_uij) - 1
        self.beta.grad = fdiff.T @ dx
        grad_u = torch.zeros_like(self.U)
        grad_i = torch.zeros_like(self.I)
        for r in range(u.shape[0]):
            grad_u[u[r]] += dx[r] * apart[r] + 2 * reg * pu[r]
            grad_i[i[r]] += dx[r] * pu[r] + 2 * reg * qi[r]
            grad_i[j[r]] += -dx[r] * pu[r] + 2 * reg * qj[r]
        self.U.grad = grad_u
        self.I.grad = grad_i
        return loss
        """,
    ),
    program(
        "factorization machine",
        SECOND_ORDER,
        """
        N = x.shape[0]
        target = y.to(x.dtype)
        xv = x @ self.V
        sq = x ** 2
        inter = 0.5 * (xv ** 2 - sq @ self.V ** 2).sum(1)
        logit = self.w0 + x @ self.w + inter
        del inter
        loss = (torch.logaddexp(logit, torch.zeros_like(logit)) - target * logit).mean()
        dlogit = (torch.sigmoid(logit) - target) / N
        del target, logit
        self.w0.grad = dlogit.sum()
        self.w.grad = x.T @ dlogit
        dxv = xv * dlogit[:, None]
        del xv
        dV = x.T @ dxv
        del dxv
        dV -= self.V * (sq.T @ dlogit).unsqueeze(1)
        del dlogit, sq
        self.V.grad = dV
        return loss
        """,
    ),
)
