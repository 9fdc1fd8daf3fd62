# verdict:
# why = "the graph step by step, as in the well-known note"
import torch


def batchnorm_forward(x, gamma, beta):
    eps = 1e-5
    N, D = x.shape
    mu = 1.0 / N * torch.sum(x, axis=0)
    xmu = x - mu
    sq = xmu ** 2
    var = 1.0 / N * torch.sum(sq, axis=0)
    sqrtvar = torch.sqrt(var + eps)
    ivar = 1.0 / sqrtvar
    xhat = xmu * ivar
    gammax = gamma * xhat
    out = gammax + beta
    cache = (xhat, gamma, xmu, ivar, sqrtvar)
    return out, cache


def batchnorm_backward(dout, cache):
    xhat, gamma, xmu, ivar, sqrtvar = cache
    N, D = dout.shape
    dbeta = torch.sum(dout, axis=0)
    dgammax = dout
    dgamma = torch.sum(dgammax * xhat, axis=0)
    dxhat = dgammax * gamma
    divar = torch.sum(dxhat * xmu, axis=0)
    dxmu1 = dxhat * ivar
    dsqrtvar = -1.0 / (sqrtvar ** 2) * divar
    dvar = 0.5 * 1.0 / sqrtvar * dsqrtvar
    dsq = 1.0 / N * torch.ones((N, D)) * dvar
    dxmu2 = 2 * xmu * dsq
    dx1 = dxmu1 + dxmu2
    dmu = -1 * torch.sum(dxmu1 + dxmu2, axis=0)
    dx2 = 1.0 / N * torch.ones((N, D)) * dmu
    dx = dx1 + dx2
    return dx, dgamma, dbeta
