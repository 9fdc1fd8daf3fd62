# Wrong at: a small variance
import torch


def batchnorm_test_forward(x, gamma, beta, running_mean, running_var):
    inv = 1 / torch.sqrt(running_var)
    xhat = (x - running_mean) * inv
    return gamma * xhat + beta, (xhat, inv, gamma)


def batchnorm_test_backward(dout, cache):
    xhat, inv, gamma = cache
    return dout * gamma * inv, (dout * xhat).sum(0), dout.sum(0)
