import torch


def smoothed_loss(scores, tau, y, eps):
    n, c = scores.shape
    z = scores / tau
    z = z - z.max(dim=1, keepdim=True)[0]
    logp = z - z.exp().sum(1, keepdim=True).log()
    rows = torch.arange(n)
    nll = -logp[rows, y].mean()
    dz = logp.exp() / n
    if eps == 0:
        dz[rows, y] -= 1 / n
        return nll, dz / tau, -(dz * scores).sum() / tau ** 2
    loss = (1 - eps) * nll - eps * logp.mean()
    dz -= eps / (n * c)
    dz[rows, y] -= (1 - eps) / n
    return loss, dz / tau, -(dz * scores).sum() / tau ** 2
