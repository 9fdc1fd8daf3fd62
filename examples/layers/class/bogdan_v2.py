import torch


def batchnorm_forward(x, gamma, beta):
    mean = x.mean(0)
    istd = 1 / torch.sqrt(x.var(0, unbiased=False) + 1e-5)
    xhat = (x - mean) * istd
    return gamma * xhat + beta, (xhat, istd, gamma)


def batchnorm_backward(dout, cache):
    xhat, istd, gamma = cache
    dgamma = (dout * xhat).sum(0)
    dbeta = dout.sum(0)
    dx = dout * gamma * istd
    return dx, dgamma, dbeta
