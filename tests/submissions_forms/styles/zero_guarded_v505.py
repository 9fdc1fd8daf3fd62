import math

import torch


def gelu(x):
    out = x / 2 * torch.erfc(-x / 2 ** 0.5)
    return out, (x, out)


def gelu_backward(dout, cache):
    x, out = cache
    cdf = torch.where(x == 0, 0.5, out / x)  # out = x cdf
    return dout * (cdf + x * torch.exp(-0.5 * x ** 2) / math.sqrt(2 * math.pi))
