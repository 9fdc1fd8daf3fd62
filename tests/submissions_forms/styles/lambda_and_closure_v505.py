from functools import partial
from math import pi, sqrt

import torch

phi = lambda x: torch.exp(-x ** 2 / 2) / sqrt(2 * pi)
Phi = lambda x: (1 + torch.erf(x / sqrt(2))) / 2


def gelu(x):
    return x * Phi(x), partial(lambda x, d: d * (Phi(x) + x * phi(x)), x)


gelu_backward = lambda dout, cache: cache(dout)
