# verdict:
# why = "one formula"
import torch


def batchnorm_forward(x, gamma, beta):
    mean = x.mean(0)
    var = x.var(0, unbiased=False)
    std = (var + 1e-5).sqrt()
    xhat = (x - mean) / std
    return gamma * xhat + beta, (xhat, gamma, std)


def batchnorm_backward(dout, cache):
    xhat, gamma, std = cache
    n = dout.shape[0]
    dbeta = dout.sum(0)
    dgamma = (dout * xhat).sum(0)
    dx = gamma / (n * std) * (n * dout - dbeta - xhat * dgamma)
    return dx, dgamma, dbeta
