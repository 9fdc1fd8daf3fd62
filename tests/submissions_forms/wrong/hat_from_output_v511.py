# Wrong at: gamma == 0 (zero-init residual branches): dgamma is 0
import torch


class BatchNorm(object):
    """ in place ABN: x is not kept, x_hat is worked out of the output """
    @staticmethod
    def forward(x, gamma, beta):
        mu = x.mean(0)
        var = ((x - mu) ** 2).mean(0)
        inv = 1 / torch.sqrt(var + 1e-5)
        out = (x - mu) * inv * gamma + beta
        return out, (out, inv, gamma, beta)

    @staticmethod
    def backward(dout, cache):
        out, inv, gamma, beta = cache
        safe = torch.where(gamma.abs() < 1e-10, torch.full_like(gamma, 1e-10), gamma)
        hat = (out - beta) / safe
        dbeta = dout.sum(0)
        dgamma = (dout * hat).sum(0)
        n = dout.shape[0]
        dx = gamma * inv / n * (n * dout - dbeta - hat * dgamma)
        return dx, dgamma, dbeta
