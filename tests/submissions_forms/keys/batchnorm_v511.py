import torch


class BatchNorm(object):
    eps = 1e-5

    @staticmethod
    def forward(x, gamma, beta):
        mu = x.mean(dim=0)
        xc = x - mu
        var = (xc**2).mean(dim=0)
        std = torch.sqrt(var + BatchNorm.eps)
        xhat = xc / std
        out = gamma * xhat + beta
        cache = (xhat, gamma, std, xc)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        xhat, gamma, std, xc = cache
        N = dout.shape[0]
        dbeta = dout.sum(dim=0)
        dgamma = (dout * xhat).sum(dim=0)
        dxhat = dout * gamma
        dvar = (dxhat * xc).sum(dim=0) * -0.5 / std**3
        dmu = -dxhat.sum(dim=0) / std
        dx = dxhat / std + 2 * xc * dvar / N + dmu / N
        return dx, dgamma, dbeta
