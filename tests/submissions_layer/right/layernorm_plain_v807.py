# verdict:
import torch


class LayerNorm:
    @staticmethod
    def forward(x, gamma, beta):
        mu = x.mean(1, keepdim=True)
        var = x.var(1, keepdim=True, unbiased=False)
        rstd = 1 / (var + 1e-5) ** 0.5
        xhat = (x - mu) * rstd
        return xhat * gamma + beta, (xhat, rstd, gamma)

    @staticmethod
    def backward(dout, cache):
        xhat, rstd, gamma = cache
        dxhat = dout * gamma
        dx = dxhat - dxhat.mean(1, keepdim=True) - xhat * (dxhat * xhat).mean(1, keepdim=True)
        return dx * rstd, (dout * xhat).sum(0), dout.sum(0)
