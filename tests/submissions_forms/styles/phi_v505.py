from collections import namedtuple
from math import pi

import torch

SQRT_HALF = 0.5 ** 0.5
INV_SQRT_2PI = (2 * pi) ** -0.5

GeluCache = namedtuple("GeluCache", "slope")


def Phi(t):
    """The normal distribution function by the complementary error function (fine far to the left)."""
    return torch.erfc(-t * SQRT_HALF) / 2


def phi(t):
    return INV_SQRT_2PI * torch.exp(-0.5 * t * t)


def gelu(x):
    P = Phi(x)
    y = x * P
    # derivative is worked out while we are here
    slope = torch.addcmul(P, x, phi(x))
    return y, GeluCache(slope)


def gelu_backward(y_bar, cache):
    x_bar = y_bar.clone()
    x_bar.mul_(cache.slope)
    return x_bar
