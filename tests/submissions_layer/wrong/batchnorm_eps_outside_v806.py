# verdict:
# failed = "forward wrong-value @F"
# gradient = "partial 20: wrong-gradient @X x, wrong-gradient @G gamma"
# why = "eps is added to the root, not under it"
import torch


def batchnorm_forward(x, gamma, beta):
    mean, var = x.mean(0), x.var(0, unbiased=False)
    std = torch.sqrt(var) + 1e-5
    xhat = (x - mean) / std
    return gamma * xhat + beta, (xhat, std, gamma)  # @F


def batchnorm_backward(dout, cache):
    xhat, std, gamma = cache
    n = dout.shape[0]
    dbeta, dgamma = dout.sum(0), (dout * xhat).sum(0)  # @G
    dx = gamma / std / n * (n * dout - dbeta - xhat * dgamma)  # @X
    return dx, dgamma, dbeta
