# verdict:
# gradient = "partial 40: wrong-gradient @X x"
# why = "backward computes the deviation anew, without eps"
import torch


def batchnorm_forward(x, gamma, beta):
    mean, var = x.mean(0), x.var(0, unbiased=False)
    xhat = (x - mean) / torch.sqrt(var + 1e-5)
    return gamma * xhat + beta, (xhat, var, gamma)


def batchnorm_backward(dout, cache):
    xhat, var, gamma = cache
    n = dout.shape[0]
    dbeta, dgamma = dout.sum(0), (dout * xhat).sum(0)
    inner = n * dout - dbeta - xhat * dgamma
    dx = gamma / (n * torch.sqrt(var)) * inner  # @X
    return dx, dgamma, dbeta
