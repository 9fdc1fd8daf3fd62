# verdict:
# gradient = "partial 40: wrong-gradient @X x"
# why = "divided by one less in one of two means"
import torch


class LayerNorm:
    @staticmethod
    def forward(x, gamma, beta):
        mu = x.mean(1, keepdim=True)
        rstd = 1 / torch.sqrt(x.var(1, keepdim=True, unbiased=False) + 1e-5)
        xhat = (x - mu) * rstd
        return xhat * gamma + beta, (xhat, rstd, gamma)

    @staticmethod
    def backward(dout, cache):
        xhat, rstd, gamma = cache
        n = xhat.shape[1]
        d = dout * gamma
        inner = d - d.mean(1, keepdim=True) - xhat * (d * xhat).sum(1, keepdim=True) / max(n - 1, 1)
        dx = rstd * inner  # @X
        return dx, (dout * xhat).sum(0), dout.sum(0)
