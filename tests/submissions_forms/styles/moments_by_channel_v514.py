import torch


def channel_forward(x, g, b, eps=1e-5):
    """x is everything one channel sees, all images and pixels."""
    M = x.numel()
    m1 = x.sum() / M
    m2 = (x * x).sum() / M
    var = m2 - m1 * m1
    sigma = (var + eps).sqrt()
    xhat = (x - m1) / sigma
    return g * xhat + b, (x, m1, sigma, xhat, g)


def channel_backward(dy, saved):
    x, m1, sigma, xhat, g = saved
    M = x.numel()
    db = dy.sum()
    dg = (dy * xhat).sum()
    dxhat = dy * g
    # xhat = (x - m1) / sigma
    dsigma = -(dxhat * xhat).sum() / sigma
    dvar = dsigma / (2 * sigma)
    # var = m2 - m1^2, so m1 is used twice
    dm2 = dvar
    dm1 = -dxhat.sum() / sigma - 2 * m1 * dvar
    dx = dxhat / sigma + dm1 / M + dm2 * 2 * x / M
    return dx, dg, db


class SpatialBatchNorm(object):
    @staticmethod
    def forward(x, gamma, beta):
        pairs = [channel_forward(x[:, c], gamma[c], beta[c]) for c in range(x.shape[1])]
        out = torch.stack([y for y, _ in pairs], dim=1)
        cache = [saved for _, saved in pairs]
        return out, cache

    @staticmethod
    def backward(dout, cache):
        grads = [channel_backward(dout[:, c], saved) for c, saved in enumerate(cache)]
        dxs, dgs, dbs = zip(*grads)
        dx = torch.stack(dxs, dim=1)
        dgamma = torch.stack(dgs)
        dbeta = torch.stack(dbs)
        return dx, dgamma, dbeta
