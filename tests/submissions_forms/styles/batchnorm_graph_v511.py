import torch


class BatchNorm(object):
    @staticmethod
    def forward(x, gamma, beta, eps=1e-5):
        N, D = x.shape

        # step 1: mean
        mu = 1.0 / N * torch.sum(x, dim=0)
        # step 2: subtract it from every row
        xmu = x - mu
        # step 3 and 4: variance
        sq = xmu ** 2
        var = 1.0 / N * torch.sum(sq, dim=0)
        # step 5 and 6: the inverse of the standard deviation
        sqrtvar = torch.sqrt(var + eps)
        ivar = 1.0 / sqrtvar
        # step 7: normalise
        xhat = xmu * ivar
        # step 8 and 9: scale and shift
        gammax = gamma * xhat
        out = gammax + beta

        cache = (xhat, gamma, xmu, ivar, sqrtvar, var, eps)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        xhat, gamma, xmu, ivar, sqrtvar, var, eps = cache
        N, D = dout.shape

        # step 9
        dbeta = torch.sum(dout, dim=0)
        dgammax = dout
        # step 8
        dgamma = torch.sum(dgammax * xhat, dim=0)
        dxhat = dgammax * gamma
        # step 7
        divar = torch.sum(dxhat * xmu, dim=0)
        dxmu1 = dxhat * ivar
        # step 6
        dsqrtvar = -1.0 / (sqrtvar ** 2) * divar
        # step 5
        dvar = 0.5 * 1.0 / torch.sqrt(var + eps) * dsqrtvar
        # step 4
        dsq = 1.0 / N * torch.ones((N, D), dtype=dout.dtype, device=dout.device) * dvar
        # step 3
        dxmu2 = 2 * xmu * dsq
        # step 2
        dx1 = dxmu1 + dxmu2
        dmu = -1 * torch.sum(dxmu1 + dxmu2, dim=0)
        # step 1
        dx2 = 1.0 / N * torch.ones((N, D), dtype=dout.dtype, device=dout.device) * dmu
        # step 0
        dx = dx1 + dx2

        return dx, dgamma, dbeta
