import time
import types

import torch


class timed:
    """Decorator of methods that keeps how long they took."""

    def __init__(self, function):
        self.function, self.seconds = function, []

    def __get__(self, instance, owner):
        return self if instance is None else types.MethodType(self, instance)

    def __call__(self, *args, **kwargs):
        start = time.perf_counter()
        result = self.function(*args, **kwargs)
        self.seconds.append(time.perf_counter() - start)
        return result


class Sigmoid:
    @timed
    def forward(self, x):
        self.s = torch.where(x >= 0, 1 / (1 + torch.exp(-x.abs())), 1 - 1 / (1 + torch.exp(-x.abs())))
        return self.s, None

    @timed
    def backward(self, dout, cache):
        return dout * self.s * (1 - self.s)
