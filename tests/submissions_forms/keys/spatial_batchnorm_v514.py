import torch


class BatchNorm(object):
    @staticmethod
    def forward(x, gamma, beta):
        mean = x.mean(0)
        var = x.var(0, unbiased=False)
        istd = 1 / (var + 1e-5).sqrt()
        xn = (x - mean) * istd
        return xn * gamma + beta, (xn, istd, gamma)

    @staticmethod
    def backward(dout, cache):
        xn, istd, gamma = cache
        N = dout.shape[0]
        dbeta = dout.sum(0)
        dgamma = (dout * xn).sum(0)
        dx = gamma * istd / N * (N * dout - dbeta - xn * dgamma)
        return dx, dgamma, dbeta


class SpatialBatchNorm(object):
    @staticmethod
    def forward(x, gamma, beta):
        N, C, H, W = x.shape
        flat = x.permute(0, 2, 3, 1).reshape(-1, C)
        out, cache = BatchNorm.forward(flat, gamma, beta)
        out = out.reshape(N, H, W, C).permute(0, 3, 1, 2)
        return out, cache

    @staticmethod
    def backward(dout, cache):
        N, C, H, W = dout.shape
        dflat = dout.permute(0, 2, 3, 1).reshape(-1, C)
        dx, dgamma, dbeta = BatchNorm.backward(dflat, cache)
        dx = dx.reshape(N, H, W, C).permute(0, 3, 1, 2)
        return dx, dgamma, dbeta
