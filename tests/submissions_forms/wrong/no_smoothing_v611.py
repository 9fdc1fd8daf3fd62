# Wrong at: eps == 0 (no smoothing): tau gets no gradient
import torch


def smoothed_loss(scores, tau, y, eps):
    n, c = scores.shape
    z = scores / tau
    logp = z.log_softmax(1)
    t = torch.full_like(z, eps / c)
    t[torch.arange(n), y] += 1 - eps
    loss = -(t * logp).sum() / n
    dz = (logp.exp() - t) / n
    dscores = dz / tau
    dtau = -(dz * z).sum() / tau if eps > 0 else torch.zeros_like(tau)
    return loss, dscores, dtau
