# Wrong at: a second step: it keeps the statistics of the first
import torch


class BatchNorm(object):
    """ momentum: the statistics move on from batch to batch """
    def __init__(self):
        self.mean = self.var = None

    def forward(self, x, gamma, beta):
        m, v = x.mean(0), x.var(0, unbiased=False)
        self.mean = m if self.mean is None else 0.9 * self.mean + 0.1 * m
        self.var = v if self.var is None else 0.9 * self.var + 0.1 * v
        inv = 1 / torch.sqrt(self.var + 1e-5)
        hat = (x - self.mean) * inv
        return hat * gamma + beta, (hat, inv, gamma)

    def backward(self, dout, cache):
        hat, inv, gamma = cache
        dhat = dout * gamma
        return inv * (dhat - dhat.mean(0) - hat * (dhat * hat).mean(0)), (dout * hat).sum(0), dout.sum(0)
