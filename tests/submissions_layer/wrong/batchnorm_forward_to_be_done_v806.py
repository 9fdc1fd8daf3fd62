# verdict:
# failed = "forward wrong-type @F"
# unused-nodes = "partial 9: unused-node @U"
# why = "the value was not put together; backward is judged by itself"
import torch


def batchnorm_forward(x, gamma, beta):  # @F
    out = None
    mean, var = x.mean(0), x.var(0, unbiased=False)
    istd = 1 / torch.sqrt(var + 1e-5)
    xhat = (x - mean) * istd
    gamma * xhat  # @U
    return out, (xhat, istd, gamma)


def batchnorm_backward(dout, cache):
    xhat, istd, gamma = cache
    n = dout.shape[0]
    dbeta, dgamma = dout.sum(0), (dout * xhat).sum(0)
    dx = gamma * istd / n * (n * dout - dbeta - xhat * dgamma)
    return dx, dgamma, dbeta
