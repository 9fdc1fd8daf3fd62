# verdict:
# failed = "forward wrong-value @F"
# why = "the unbiased variance in forward, and the sums of the biased one are right for x hat"
import torch


def batchnorm_forward(x, gamma, beta):
    mean, var = x.mean(0), x.var(0)
    istd = 1 / torch.sqrt(var + 1e-5)
    xhat = (x - mean) * istd
    return gamma * xhat + beta, (x, gamma)  # @F


def batchnorm_backward(dout, cache):
    x, gamma = cache
    n = x.shape[0]
    istd = 1 / torch.sqrt(x.var(0, unbiased=False) + 1e-5)
    xhat = (x - x.mean(0)) * istd
    dbeta, dgamma = dout.sum(0), (dout * xhat).sum(0)
    dx = gamma * istd / n * (n * dout - dbeta - xhat * dgamma)
    return dx, dgamma, dbeta
