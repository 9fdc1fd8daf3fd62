# verdict:
# gradient = "partial 20: wrong-shape @G gamma, wrong-shape @B beta"
# why = "the sums over the batch are forgotten"
import torch


def batchnorm_forward(x, gamma, beta):
    mean, var = x.mean(0), x.var(0, unbiased=False)
    istd = 1 / torch.sqrt(var + 1e-5)
    xhat = (x - mean) * istd
    return gamma * xhat + beta, (xhat, istd, gamma)


def batchnorm_backward(dout, cache):
    xhat, istd, gamma = cache
    n = dout.shape[0]
    dbeta = dout * 1  # @B
    dgamma = dout * xhat  # @G
    dx = gamma * istd / n * (n * dout - dbeta.sum(0) - xhat * dgamma.sum(0))
    return dx, dgamma, dbeta
