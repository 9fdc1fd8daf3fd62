import torch


class SpatialBatchNorm(object):
    @staticmethod
    def forward(x, gamma, beta):
        C = x.shape[1]
        g = gamma.view(1, C, 1, 1)

        # follow the computational graph
        mu = x.mean(dim=(0, 2, 3), keepdim=True)
        xmu = x - mu
        sq = xmu * xmu
        var = sq.mean(dim=(0, 2, 3), keepdim=True)
        sqrtvar = torch.sqrt(var + 1e-5)
        ivar = 1.0 / sqrtvar
        xhat = xmu * ivar
        out = g * xhat + beta.view(1, C, 1, 1)

        cache = {"xhat": xhat, "g": g, "xmu": xmu, "ivar": ivar, "sqrtvar": sqrtvar}
        return out, cache

    @staticmethod
    def backward(dout, cache):
        xhat, xmu = cache["xhat"], cache["xmu"]
        ivar, sqrtvar = cache["ivar"], cache["sqrtvar"]
        M = dout.numel() / dout.shape[1]

        dbeta = torch.einsum("nchw->c", dout)
        dgamma = torch.einsum("nchw,nchw->c", dout, xhat)
        dxhat = dout * cache["g"]

        # xhat = xmu * ivar
        divar = (dxhat * xmu).sum(dim=(0, 2, 3), keepdim=True)
        dxmu = dxhat * ivar
        # ivar = 1 / sqrtvar
        dsqrtvar = -divar / sqrtvar ** 2
        dvar = 0.5 * dsqrtvar / sqrtvar
        dsq = torch.ones_like(dout) * dvar / M
        dxmu += 2 * xmu * dsq
        # xmu = x - mu
        dmu = -dxmu.sum(dim=(0, 2, 3), keepdim=True)
        dx = dxmu + dmu / M
        return dx, dgamma, dbeta
