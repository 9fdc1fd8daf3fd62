import torch


def normalise(x, gamma, beta):
    """Runs to the output, waits for its gradient, and goes on backwards."""
    n = x.shape[0]
    centred = x - x.sum(0) / n
    std = ((centred ** 2).sum(0) / n + 1e-5) ** 0.5
    hat = centred / std
    dout = yield hat * gamma + beta
    dbeta = dout.sum(0)
    dgamma = (dout * hat).sum(0)
    dx = gamma / std * (dout - dbeta / n - hat * dgamma / n)
    yield dx, dgamma, dbeta


class BatchNorm(object):
    @staticmethod
    def forward(x, gamma, beta):
        cache = normalise(x, gamma, beta)
        return next(cache), cache

    @staticmethod
    def backward(dout, cache):
        grads = cache.send(dout)
        cache.close()
        return grads
