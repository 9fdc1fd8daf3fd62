# Wrong at: a bn_param without eps after one with eps
import torch


class BatchNorm(object):
    eps = 1e-5

    @classmethod
    def forward(cls, x, gamma, beta, bn_param):
        cls.eps = bn_param.get("eps", cls.eps)
        mu = x.mean(0)
        var = x.var(0, unbiased=False)
        inv = 1 / torch.sqrt(var + cls.eps)
        hat = (x - mu) * inv
        return hat * gamma + beta, (hat, inv, gamma)

    @staticmethod
    def backward(dout, cache):
        hat, inv, gamma = cache
        d = dout * gamma
        dx = inv * (d - d.mean(0) - hat * (d * hat).mean(0))
        return dx, (dout * hat).sum(0), dout.sum(0)
