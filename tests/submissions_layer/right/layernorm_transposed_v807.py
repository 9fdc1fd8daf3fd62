# verdict:
# why = "batch normalisation of the transposed, as the course hints"
import torch


def bn_backward(dxhat, xhat, istd):
    n = xhat.shape[0]
    return istd / n * (n * dxhat - dxhat.sum(0) - xhat * (dxhat * xhat).sum(0))


class LayerNorm(object):
    @staticmethod
    def forward(x, gamma, beta):
        xt = x.t()
        mean = xt.mean(0)
        istd = 1.0 / torch.sqrt(((xt - mean) ** 2).mean(0) + 1e-5)
        xhat = (xt - mean) * istd
        out = xhat.t() * gamma + beta
        return out, (xhat, istd, gamma)

    @staticmethod
    def backward(dout, cache):
        xhat, istd, gamma = cache
        dgamma = (dout * xhat.t()).sum(0)
        dbeta = dout.sum(0)
        dx = bn_backward((dout * gamma).t(), xhat, istd).t()
        return dx, dgamma, dbeta
