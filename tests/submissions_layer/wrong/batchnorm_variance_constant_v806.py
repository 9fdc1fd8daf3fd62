# verdict:
# gradient = "partial 40: wrong-gradient @X x"
# why = "x - mean is used twice, and the path through the variance is lost"
import torch


def batchnorm_forward(x, gamma, beta):
    mean, var = x.mean(0), x.var(0, unbiased=False)
    istd = 1 / torch.sqrt(var + 1e-5)
    xhat = (x - mean) * istd
    return gamma * xhat + beta, (xhat, istd, gamma)


def batchnorm_backward(dout, cache):
    xhat, istd, gamma = cache
    dxmu = dout * gamma * istd
    dmu = -dxmu.sum(0)
    dx = dxmu + dmu / dout.shape[0]  # @X
    return dx, (dout * xhat).sum(0), dout.sum(0)
