# verdict:
# gradient = "partial 40: wrong-gradient @X x"
# why = "the means are those of batch normalisation"
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
        d = dout * gamma
        dx = rstd * (d - d.mean(0) - xhat * (d * xhat).mean(0))  # @X
        return dx, (dout * xhat).sum(0), dout.sum(0)
