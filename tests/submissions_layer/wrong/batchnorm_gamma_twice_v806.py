# verdict:
# gradient = "partial 40: wrong-gradient @X x"
# why = "gamma is a factor of dxhat, and once more of the whole"
import torch


def batchnorm_forward(x, gamma, beta):
    mean, var = x.mean(0), x.var(0, unbiased=False)
    istd = 1 / torch.sqrt(var + 1e-5)
    xhat = (x - mean) * istd
    return gamma * xhat + beta, (xhat, istd, gamma)


def batchnorm_backward(dout, cache):
    xhat, istd, gamma = cache
    dxhat = dout * gamma
    inner = dxhat - dxhat.mean(0) - xhat * (dxhat * xhat).mean(0)
    dx = gamma * istd * inner  # @X
    return dx, (dout * xhat).sum(0), dout.sum(0)
