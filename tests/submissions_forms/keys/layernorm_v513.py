import torch


class LayerNorm(object):
    @staticmethod
    def forward(x, gamma, beta):
        mu = x.mean(dim=-1, keepdim=True)
        var = x.var(dim=-1, keepdim=True, unbiased=False)
        rstd = torch.rsqrt(var + 1e-5)
        norm = (x - mu) * rstd
        return gamma * norm + beta, (norm, rstd, gamma)

    @staticmethod
    def backward(dout, cache):
        norm, rstd, gamma = cache
        dnorm = dout * gamma
        mean_d = dnorm.mean(dim=-1, keepdim=True)
        mean_dn = (dnorm * norm).mean(dim=-1, keepdim=True)
        dx = rstd * (dnorm - mean_d - norm * mean_dn)
        dgamma = (dout * norm).sum(dim=(0, 1))
        dbeta = dout.sum(dim=(0, 1))
        return dx, dgamma, dbeta
