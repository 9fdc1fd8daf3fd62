# verdict:
# gradient = "partial 40: wrong-gradient @X x"
# why = "mean and variance are taken for constants"
import torch


def batchnorm_forward(x, gamma, beta):
    mean, var = x.mean(0), x.var(0, unbiased=False)
    istd = 1 / torch.sqrt(var + 1e-5)
    xhat = (x - mean) * istd
    return gamma * xhat + beta, (xhat, istd, gamma)


def batchnorm_backward(dout, cache):
    xhat, istd, gamma = cache
    dx = dout * gamma * istd  # @X
    return dx, (dout * xhat).sum(0), dout.sum(0)
