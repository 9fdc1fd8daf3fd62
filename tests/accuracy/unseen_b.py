"""Right passes on tensors by an author who has not seen the search: nets of two and three layers
with the activations of the field."""

from tensor_programs import program

ELU = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n c"], *,
    w1: Float[Tensor, "d h"], b1: Float[Tensor, "h"],
    w2: Float[Tensor, "h m"], b2: Float[Tensor, "m"], w3: Float[Tensor, "m c"],
):
    h2 = F.softplus(F.elu(x @ w1 + b1) @ w2 + b2)
    return ((h2 @ w3 - y) ** 2).sum(1).mean() / 2
"""
SELU = """
def v1(
    X: Float[Tensor, "d n"], Y: Float[Tensor, "k n"], *,
    W1: Float[Tensor, "h d"], b1: Float[Tensor, "h"],
    W2: Float[Tensor, "k h"], b2: Float[Tensor, "k"],
):
    A1 = F.selu(W1 @ X + b1[:, None])
    return F.mse_loss(W2 @ A1 + b2[:, None], Y)
"""
MISH = """
RANGES = {"y": ((0, 1),)}
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n 1"], *,
    w1: Float[Tensor, "d h"], b1: Float[Tensor, "h"], w2: Float[Tensor, "h 1"],
):
    prob = torch.sigmoid(F.mish(x @ w1 + b1) @ w2)
    bce = -(y * torch.log(prob) + (1 - y) * torch.log(1 - prob)).mean()
    return bce + 0.01 * w1.abs().sum() + 0.01 * w2.abs().sum()
"""
MAXOUT = """
SIZES = {"k": (2, 3)}
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n"], *,
    w: Float[Tensor, "k d h"], b: Float[Tensor, "k h"], v: Float[Tensor, "h"],
):
    z = torch.einsum("nd,kdh->nkh", x, w) + b
    return ((z.max(dim=1).values @ v - y) ** 2).mean()
"""
HIGHWAY = """
BELOW = {"y": "c"}
SIZES = {"c": (2, 5)}
def v1(
    x: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    wt: Float[Tensor, "d d"], bt: Float[Tensor, "d"],
    wh: Float[Tensor, "d d"], bh: Float[Tensor, "d"], wo: Float[Tensor, "d c"],
):
    gate = torch.sigmoid(x @ wt + bt)
    mixed = gate * torch.tanh(x @ wh + bh) + (1 - gate) * x
    return F.cross_entropy(mixed @ wo, y)
"""
THREE_SIGMOIDS = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n c"], *,
    w1: Float[Tensor, "d h"], w2: Float[Tensor, "h m"], w3: Float[Tensor, "m c"],
):
    out = torch.sigmoid(torch.sigmoid(torch.sigmoid(x @ w1) @ w2) @ w3)
    return 0.5 * ((out - y) ** 2).sum() / len(x)
"""
EXPERTS = """
SIZES = {"e": (2, 4)}
def v1(
    x: Float[Tensor, "n d"], t: Float[Tensor, "n o"], *,
    gate: Float[Tensor, "d e"], W: Float[Tensor, "e d o"], b: Float[Tensor, "e o"],
):
    p = F.softmax(x @ gate, dim=-1)
    experts = torch.einsum("nd,edo->neo", x, W) + b
    return ((torch.einsum("ne,neo->no", p, experts) - t) ** 2).mean()
"""
NETWORKS = (
    program(
        "elu, softplus and deltas",
        ELU,
        """
        n = x.shape[0]
        z1 = x @ self.w1 + self.b1
        h1 = torch.where(z1 > 0, z1, torch.exp(z1) - 1)
        z2 = h1 @ self.w2 + self.b2
        h2 = torch.log(1 + torch.exp(z2))
        diff = h2 @ self.w3 - y
        loss = (diff ** 2).sum() / (2 * n)
        delta3 = diff / n
        del diff
        self.w3.grad = h2.T @ delta3
        del h2
        delta2 = (delta3 @ self.w3.T) * torch.sigmoid(z2)
        del delta3, z2
        self.w2.grad = h1.T @ delta2
        self.b2.grad = delta2.sum(0)
        delta1 = (delta2 @ self.w2.T) * torch.where(z1 > 0, torch.ones_like(z1), h1 + 1)
        del delta2, z1, h1
        self.w1.grad = x.T @ delta1
        self.b1.grad = delta1.sum(0)
        return loss
        """,
    ),
    program(
        "selu with samples in columns",
        SELU,
        """
        lam, alpha = 1.0507009873554805, 1.6732632423543772
        k, n = Y.shape
        Z1 = torch.mm(self.W1, X) + self.b1.unsqueeze(1)
        pos = (Z1 > 0).type_as(Z1)
        neg = 1 - pos
        expZ = torch.exp(Z1)
        A1 = lam * (pos * Z1 + neg * alpha * (expZ - 1))
        E = torch.mm(self.W2, A1) + self.b2.unsqueeze(1) - Y
        cost = torch.sum(E * E) / (k * n)
        dZ2 = 2. * E
        dW2 = torch.mm(dZ2, A1.t()) / (k * n)
        db2 = torch.sum(dZ2, 1) / (k * n)
        dA1 = torch.mm(self.W2.t(), dZ2)
        dZ1 = dA1 * lam * (pos + neg * alpha * expZ)
        dW1 = torch.mm(dZ1, X.t()) / (k * n)
        db1 = torch.sum(dZ1, 1) / (k * n)
        self.W1.grad = dW1
        self.b1.grad = db1
        self.W2.grad = dW2
        self.b2.grad = db2
        return cost
        """,
    ),
    program(
        "mish with bce and l1",
        MISH,
        """
        pre = x @ self.w1 + self.b1
        tsp = torch.tanh(torch.log1p(pre.exp()))
        act = pre * tsp
        prob = 1 / (1 + (-(act @ self.w2)).exp())
        bce = -(y * prob.log() + (1 - y) * (1 - prob).log()).mean()
        l1 = self.w1.abs().sum() + self.w2.abs().sum()
        dprob = -(y / prob - (1 - y) / (1 - prob)) / len(y)
        dout = dprob * prob * (1 - prob)
        del dprob, prob
        self.w2.grad = act.T @ dout + 0.01 * torch.sign(self.w2)
        del act
        dact = dout @ self.w2.T
        del dout
        dpre = dact * (tsp + pre * (1 - tsp ** 2) * torch.sigmoid(pre))
        del pre, tsp, dact
        self.w1.grad = x.T @ dpre + 0.01 * torch.sign(self.w1)
        self.b1.grad = dpre.sum(0)
        del dpre
        return bce + 0.01 * l1
        """,
    ),
    program(
        "maxout by scatter",
        MAXOUT,
        """
        n = x.shape[0]
        z = (x @ self.w).transpose(0, 1) + self.b
        m, idx = torch.max(z, dim=1, keepdim=True)
        h = m.squeeze(1)
        res = h @ self.v - y
        loss = (res ** 2).sum() / n
        dpred = 2 * res / n
        self.v.grad = dpred @ h
        dh = dpred[:, None] * self.v
        dz = torch.zeros_like(z).scatter_(1, idx, dh[:, None])
        self.b.grad = dz.sum(0)
        self.w.grad = x.T @ dz.transpose(0, 1)
        return loss
        """,
    ),
    program(
        "highway layer",
        HIGHWAY,
        """
        T = torch.sigmoid(x.matmul(self.wt) + self.bt)
        H = torch.tanh(x.matmul(self.wh) + self.bh)
        carry = 1 - T
        out = H * T + x * carry
        logits = out.matmul(self.wo)
        picked = F.log_softmax(logits, dim=1)[range(len(y)), y]
        loss = -picked.sum() / len(y)
        del picked
        grad_logits = F.softmax(logits, dim=1)
        del logits
        grad_logits -= F.one_hot(y, grad_logits.shape[1])
        grad_logits /= len(y)
        self.wo.grad = out.t().matmul(grad_logits)
        del out
        grad_out = grad_logits.matmul(self.wo.t())
        del grad_logits
        grad_T = grad_out * (H - x)
        grad_T = grad_T * T * carry
        del carry
        grad_H = grad_out * T
        del T, grad_out
        grad_H = grad_H * (1 - H * H)
        del H
        self.wt.grad = x.t().matmul(grad_T)
        self.bt.grad = grad_T.sum(dim=0)
        del grad_T
        self.wh.grad = x.t().matmul(grad_H)
        self.bh.grad = grad_H.sum(dim=0)
        return loss
        """,
    ),
    program(
        "three layers in a loop",
        THREE_SIGMOIDS,
        """
        weights = [self.w1, self.w2, self.w3]
        activations = [x]
        for W in weights:
            activations.append(torch.sigmoid(activations[-1] @ W))
        error = activations[-1] - y
        loss = 0.5 * (error ** 2).sum() / len(x)
        for l in range(3, 0, -1):
            a = activations[l]
            delta = error * a * (1 - a)
            weights[l - 1].grad = activations[l - 1].T @ delta / len(x)
            if l > 1:
                error = delta @ weights[l - 1].T
        return loss
        """,
    ),
    program(
        "mixture of experts",
        EXPERTS,
        """
        e = self.W.shape[0]
        p = torch.softmax(x @ self.gate, dim=-1)
        outs = [x @ self.W[i] + self.b[i] for i in range(e)]
        y = sum(p[:, i:i + 1] * outs[i] for i in range(e))
        loss = ((y - t) ** 2).sum() / t.numel()
        dy = 2 * (y - t) / t.numel()
        dW = torch.zeros_like(self.W)
        db = torch.zeros_like(self.b)
        dp = torch.zeros_like(p)
        for i in range(e):
            dp[:, i] = (dy * outs[i]).sum(-1)
            dout = dy * p[:, i:i + 1]
            dW[i] = x.T @ dout
            db[i] = dout.sum(0)
        ds = p * (dp - (dp * p).sum(-1, keepdim=True))
        self.gate.grad = x.T @ ds
        self.W.grad, self.b.grad = dW, db
        return loss
        """,
    ),
)
