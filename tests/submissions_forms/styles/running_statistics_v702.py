import torch

n, d, h, c = 32, 10, 16, 8
X = torch.randn(n, d)
y = torch.randint(0, c, (n,))
W = torch.randn(d, h) * (5 / 3) / d ** 0.5
b = torch.randn(h) * 0.1
V = torch.randn(h, c) * 0.1
mean_running, var_running = torch.zeros(1, h), torch.ones(1, h)
ud = []

with torch.no_grad():
    for step in range(100):
        before = X @ W + b
        means = before.mean(0, keepdim=True)
        centred = before - means
        variances = (centred**2).mean(0, keepdim=True)
        inverses = (variances + 1e-5) ** -0.5
        normal = centred * inverses
        hidden = torch.tanh(normal)
        scores = hidden @ V
        greatest = scores.max(1, keepdim=True).values
        weights = (scores - greatest).exp()
        shares = weights / weights.sum(1, keepdim=True)
        loss = -shares[torch.arange(n), y].log().mean()
        mean_running = 0.999 * mean_running + 0.001 * means
        var_running = 0.999 * var_running + 0.001 * variances

        dshares = torch.zeros_like(shares)
        dshares[torch.arange(n), y] = -1 / (n * shares[torch.arange(n), y])
        total = weights.sum(1, keepdim=True)
        dweights = (dshares - (dshares * shares).sum(1, keepdim=True)) / total
        dexponent = dweights * weights
        dgreatest = -dexponent.sum(1, keepdim=True)
        at = torch.nn.functional.one_hot(scores.argmax(1), scores.shape[1])
        dscores = dexponent + at * dgreatest
        dhidden = dscores @ V.T
        dV = hidden.T @ dscores
        dnormal = dhidden * (1 - hidden ** 2)
        dinverses = (dnormal * centred).sum(0, keepdim=True)
        dvariances = -0.5 * (variances + 1e-5) ** -1.5 * dinverses
        dcentred = dnormal * inverses + 2 * centred * dvariances / n
        dmeans = -dcentred.sum(0, keepdim=True)
        dbefore = dcentred + dmeans / n
        dW = X.T @ dbefore
        db = dbefore.sum(0)

        lr = 0.1 * 0.5 ** (step // 50)
        W -= lr * dW
        b -= lr * db
        V -= lr * dV
        ud.append((lr * dW.std() / W.std()).log10().item())
