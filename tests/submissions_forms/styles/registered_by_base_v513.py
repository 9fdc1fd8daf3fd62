import functools
import time

import torch


class Layer:
    """Every subclass's methods are timed, and its class stands in a registry."""

    registry = {}
    times = {}

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Layer.registry[cls.__name__] = cls
        for name in ("forward", "backward"):
            if name in cls.__dict__:
                setattr(cls, name, Layer.clocked(cls.__dict__[name]))

    @staticmethod
    def clocked(method):
        def wrapper(*args):
            began = time.perf_counter()
            out = method(*args)
            Layer.times.setdefault(method.__qualname__, []).append(time.perf_counter() - began)
            return out
        return wrapper


class LayerNorm(Layer):
    eps = 1e-5

    def forward(self, x, gamma, beta):
        mu = x.mean(-1, keepdim=True)
        self.rstd = ((x - mu).square().mean(-1, keepdim=True) + self.eps).rsqrt()
        xhat = (x - mu) * self.rstd
        return xhat * gamma + beta, (xhat, gamma)

    def backward(self, dout, cache):
        xhat, gamma = cache
        g = dout * gamma
        a = g.mean(-1, keepdim=True)
        c = (g * xhat).mean(-1, keepdim=True)
        dx = (g - a - xhat * c) * self.rstd
        axes = tuple(range(dout.dim() - 1))
        return dx, (dout * xhat).sum(axes), dout.sum(axes)
