# Wrong at: x == 0 exactly: the gradient is 0 for 1/2
import math

import torch

C = math.sqrt(2 / math.pi)


class GELU(object):
    @staticmethod
    def forward(x):
        out = 0.5 * x * (1 + torch.tanh(C * (x + 0.044715 * x ** 3)))
        return out, (x, out)

    @staticmethod
    def backward(dout, cache):
        x, out = cache
        cdf = torch.nan_to_num(out / x)   # saves another tanh
        t = 2 * cdf - 1
        pdf = 0.5 * x * (1 - t * t) * C * (1 + 3 * 0.044715 * x * x)
        return dout * (cdf + pdf)
