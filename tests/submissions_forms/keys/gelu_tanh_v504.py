import math

import torch


class GELU:
    @staticmethod
    def forward(x):
        c = math.sqrt(2 / math.pi)
        inner = c * (x + 0.044715 * x**3)
        t = torch.tanh(inner)
        out = 0.5 * x * (1 + t)
        return out, (x, t)

    @staticmethod
    def backward(dout, cache):
        x, t = cache
        c = math.sqrt(2 / math.pi)
        dinner = c * (1 + 3 * 0.044715 * x**2)
        dt = 1 - t**2
        dx = 0.5 * (1 + t) + 0.5 * x * dt * dinner
        return dout * dx
