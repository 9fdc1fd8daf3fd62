"""Right passes on nets, as others than the search's author write them: loops and `mm` as in
courses on vision, columns as samples, (out, in) weights, `unsqueeze` for outer products."""

from tensor_programs import program

SOFTMAX_HALF_L2 = """
BELOW = {"y": "c"}
def v1(X: Float[Tensor, "n d"], y: Int[Tensor, "n"], *, W: Float[Tensor, "d c"]):
    return F.cross_entropy(X @ W, y) + 0.5 * 0.1 * (W * W).sum()
"""
SVM = """
BELOW = {"y": "c"}
def v1(X: Float[Tensor, "n d"], y: Int[Tensor, "n"], *, W: Float[Tensor, "d c"]):
    scores = X @ W
    margins = (scores - scores.gather(1, y[:, None]) + 1).clamp(min=0)
    return (margins.sum() - X.shape[0]) / X.shape[0] + 0.05 * (W ** 2).sum()
"""
TWO_LAYER_REG = """
BELOW = {"y": "c"}
def v1(
    X: Float[Tensor, "n d"], y: Int[Tensor, "n"], *,
    W1: Float[Tensor, "d h"], b1: Float[Tensor, "h"],
    W2: Float[Tensor, "h c"], b2: Float[Tensor, "c"],
):
    scores = torch.relu(X @ W1 + b1) @ W2 + b2
    return F.cross_entropy(scores, y) + 0.05 * ((W1 ** 2).sum() + (W2 ** 2).sum())
"""
COLUMNS = """
RANGES = {"Y": ((0, 1),)}
def v1(
    X: Float[Tensor, "d m"], Y: Float[Tensor, "1 m"], *,
    W1: Float[Tensor, "h d"], b1: Float[Tensor, "h 1"],
    W2: Float[Tensor, "1 h"], b2: Float[Tensor, "1 1"],
):
    Z2 = W2 @ torch.tanh(W1 @ X + b1) + b2
    return F.binary_cross_entropy_with_logits(Z2, Y)
"""
MLP_MSE = """
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n k"], *,
    W1: Float[Tensor, "h d"], b1: Float[Tensor, "h"],
    W2: Float[Tensor, "k h"], b2: Float[Tensor, "k"],
):
    y_hat = torch.sigmoid(torch.relu(x @ W1.T + b1) @ W2.T + b2)
    return F.mse_loss(y_hat, y)
"""
MLP_BCE = """
RANGES = {"y": ((0, 1),)}
def v1(
    x: Float[Tensor, "n d"], y: Float[Tensor, "n k"], *,
    W1: Float[Tensor, "h d"], b1: Float[Tensor, "h"],
    W2: Float[Tensor, "k h"], b2: Float[Tensor, "k"],
):
    y_hat = torch.sigmoid(torch.sigmoid(x @ W1.T + b1) @ W2.T + b2)
    return -(y * y_hat.log() + (1 - y) * (1 - y_hat).log()).mean()
"""
ONE_OUTPUT = """
def v1(
    inp: Float[Tensor, "n d"], targ: Float[Tensor, "n"], *,
    w1: Float[Tensor, "d h"], b1: Float[Tensor, "h"],
    w2: Float[Tensor, "h 1"], b2: Float[Tensor, "1"],
):
    out = (inp @ w1 + b1).clamp_min(0.) @ w2 + b2
    return (out.squeeze(-1) - targ).pow(2).mean()
"""
NETS = (
    program(
        "softmax with half the L2",
        SOFTMAX_HALF_L2,
        """
        W, reg = self.W, 0.1
        N = X.size(0)
        scores = X.mm(W)
        scores -= scores.max(dim=1, keepdim=True)[0]
        exp_scores = torch.exp(scores)
        probs = exp_scores / torch.sum(exp_scores, dim=1, keepdim=True)
        loss = torch.sum(-torch.log(probs[range(N), y])) / N + 0.5 * reg * torch.sum(W * W)
        probs[range(N), y] -= 1
        dW = X.t().mm(probs) / N + reg * W
        self.W.grad = dW
        return loss
        """,
    ),
    program(
        "softmax with loops",
        SOFTMAX_HALF_L2,
        """
        W = self.W
        reg = 0.1
        loss = 0.0
        dW = torch.zeros_like(W)
        num_train = X.shape[0]
        num_classes = W.shape[1]
        for i in range(num_train):
            f = W.t().mv(X[i])
            f = f - torch.max(f)
            denom = torch.exp(f).sum()
            loss += -f[y[i]] + torch.log(denom)
            for j in range(num_classes):
                dW[:, j] += torch.exp(f[j]) / denom * X[i]
            dW[:, y[i]] -= X[i]
        loss /= num_train
        dW /= num_train
        loss += 0.5 * reg * torch.sum(W * W)
        dW += reg * W
        self.W.grad = dW
        return loss
        """,
    ),
    program(
        "svm",
        SVM,
        """
        reg = 0.05
        num_train = X.shape[0]
        scores = X.mm(self.W)
        correct = scores[torch.arange(num_train), y].view(-1, 1)
        margins = torch.clamp(scores - correct + 1.0, min=0)
        margins[torch.arange(num_train), y] = 0
        loss = margins.sum() / num_train + reg * torch.sum(self.W ** 2)
        mask = torch.zeros_like(margins)
        mask[margins > 0] = 1
        mask[torch.arange(num_train), y] -= mask.sum(dim=1)
        self.W.grad = X.t().mm(mask) / num_train + 2 * reg * self.W
        return loss
        """,
    ),
    program(
        "svm with loops",
        SVM,
        """
        W = self.W
        dW = torch.zeros_like(W)
        N, C = X.shape[0], W.shape[1]
        loss = 0.0
        for i in range(N):
            scores = X[i] @ W
            margin = (scores - scores[y[i]] + 1).clamp(min=0)
            loss = loss + margin.sum() - 1
            wrong = (margin > 0).to(X.dtype)
            dW += torch.outer(X[i], wrong)
            dW[:, y[i]] -= wrong.sum() * X[i]
        loss = loss / N + 0.05 * (W ** 2).sum()
        dW = dW / N + 2 * 0.05 * W
        self.W.grad = dW
        return loss
        """,
    ),
    program(
        "two layers with regularisation",
        TWO_LAYER_REG,
        """
        W1, b1, W2, b2 = self.W1, self.b1, self.W2, self.b2
        N, D = X.shape
        reg = 0.05
        h1 = (X.mm(W1) + b1).clamp(min=0)
        scores = h1.mm(W2) + b2
        scores = scores - scores.max(dim=1)[0].reshape(-1, 1)
        exps = scores.exp()
        expsum = exps.sum(dim=1)
        loss = (torch.log(expsum) - scores[torch.arange(N), y]).sum() / N
        loss += reg * (torch.sum(W1 * W1) + torch.sum(W2 * W2))
        dscores = exps / expsum.reshape(-1, 1)
        dscores[torch.arange(N), y] -= 1
        dscores /= N
        self.W2.grad = h1.t().mm(dscores) + 2 * reg * W2
        self.b2.grad = dscores.sum(dim=0)
        dh1 = dscores.mm(W2.t())
        dh1[h1 == 0] = 0
        self.W1.grad = X.t().mm(dh1) + 2 * reg * W1
        self.b1.grad = dh1.sum(dim=0)
        return loss
        """,
    ),
    program(
        "samples in columns",
        COLUMNS,
        """
        m = X.shape[1]
        Z1 = torch.matmul(self.W1, X) + self.b1
        A1 = torch.tanh(Z1)
        Z2 = torch.matmul(self.W2, A1) + self.b2
        A2 = torch.sigmoid(Z2)
        cost = -(1 / m) * torch.sum(Y * torch.log(A2) + (1 - Y) * torch.log(1 - A2))
        dZ2 = A2 - Y
        dW2 = (1 / m) * torch.matmul(dZ2, A1.T)
        db2 = (1 / m) * torch.sum(dZ2, dim=1, keepdim=True)
        dZ1 = torch.matmul(self.W2.T, dZ2) * (1 - torch.pow(A1, 2))
        dW1 = (1 / m) * torch.matmul(dZ1, X.T)
        db1 = (1 / m) * torch.sum(dZ1, dim=1, keepdim=True)
        self.W1.grad, self.b1.grad = dW1, db1
        self.W2.grad, self.b2.grad = dW2, db2
        return cost
        """,
    ),
    program(
        "mlp with relu, sigmoid and mse",
        MLP_MSE,
        """
        z1 = x.matmul(self.W1.T) + self.b1
        z2 = F.relu(z1)
        z3 = z2.matmul(self.W2.T) + self.b2
        y_hat = torch.sigmoid(z3)
        J = ((y_hat - y) ** 2).mean()
        dJdy_hat = 2 * (y_hat - y) / (y.shape[0] * y.shape[1])
        dy_hatdz3 = y_hat * (1 - y_hat)
        dJdz3 = dJdy_hat * dy_hatdz3
        self.W2.grad = dJdz3.T @ z2
        self.b2.grad = dJdz3.sum(0)
        dJdz2 = dJdz3 @ self.W2
        dz2dz1 = (z1 > 0).float().to(x.dtype)
        dJdz1 = dJdz2 * dz2dz1
        self.W1.grad = dJdz1.T @ x
        self.b1.grad = dJdz1.sum(0)
        return J
        """,
    ),
    program(
        "mlp with sigmoids and bce",
        MLP_BCE,
        """
        cache = {"x": x, "z1": F.linear(x, self.W1, self.b1)}
        cache["a1"] = torch.sigmoid(cache["z1"])
        cache["z2"] = F.linear(cache["a1"], self.W2, self.b2)
        y_hat = torch.sigmoid(cache["z2"])
        num = y_hat.numel()
        J = -(y * y_hat.log() + (1 - y) * (1 - y_hat).log()).sum() / num
        dJdy_hat = (-y / y_hat + (1 - y) / (1 - y_hat)) / num
        dJdz2 = dJdy_hat * y_hat * (1 - y_hat)
        dJda1 = dJdz2 @ self.W2
        dJdz1 = dJda1 * (cache["a1"] * (1 - cache["a1"]))
        self.W2.grad = dJdz2.T @ cache["a1"]
        self.b2.grad = dJdz2.sum(dim=0)
        self.W1.grad = dJdz1.T @ cache["x"]
        self.b1.grad = dJdz1.sum(dim=0)
        return J
        """,
    ),
    program(
        "one output, by unsqueeze",
        ONE_OUTPUT,
        """
        l1 = inp @ self.w1 + self.b1
        l2 = l1.clamp_min(0.)
        out = l2 @ self.w2 + self.b2
        diff = out[:, 0] - targ
        loss = diff.pow(2).mean()
        out_g = 2. * diff[:, None] / inp.shape[0]
        l2_g = out_g @ self.w2.t()
        self.w2.grad = (l2.unsqueeze(-1) * out_g.unsqueeze(1)).sum(0)
        self.b2.grad = out_g.sum(0)
        l1_g = (l1 > 0).float().to(inp.dtype) * l2_g
        self.w1.grad = (inp.unsqueeze(-1) * l1_g.unsqueeze(1)).sum(0)
        self.b1.grad = l1_g.sum(0)
        return loss
        """,
    ),
    program(
        "one output, by layers",
        ONE_OUTPUT,
        """
        w1, b1, w2, b2 = self.w1, self.b1, self.w2, self.b2
        lin1 = torch.addmm(b1, inp, w1)
        act = torch.max(lin1, torch.zeros_like(lin1))
        out = torch.addmm(b2, act, w2).squeeze(-1)
        n = targ.shape[0]
        loss = ((out - targ) ** 2).sum() / n
        g = (2 / n * (out - targ)).unsqueeze(-1)
        w2.grad, b2.grad = act.t() @ g, g.sum(0)
        g = g @ w2.t()
        g = torch.where(lin1 > 0, g, torch.zeros_like(g))
        w1.grad, b1.grad = inp.t() @ g, g.sum(0)
        return loss
        """,
    ),
)
