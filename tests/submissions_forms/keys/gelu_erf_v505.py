import math

import torch


def gelu(x):
    cdf = 0.5 * (1 + torch.erf(x / math.sqrt(2)))
    return x * cdf, (x, cdf)


def gelu_backward(dout, cache):
    x, cdf = cache
    pdf = torch.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    return dout * (cdf + x * pdf)
