import time

import torch


def timing(label):
    def decorate(function):
        def inner(*args, **kwargs):
            t0 = time.time()
            try:
                return function(*args, **kwargs)
            finally:
                inner.total += time.time() - t0
        inner.total = 0.0
        inner.label = label
        return inner
    return decorate


@timing("forward")
def tanh_forward(x):
    e = torch.exp(-2 * x.abs())
    out = x.sign() * (1 - e) / (1 + e)
    return out, e


@timing("backward")
def tanh_backward(dout, e):
    # 1 - tanh^2 = 4 e / (1 + e)^2: even in x, so the sign does not matter
    return dout * 4 * e / (1 + e) ** 2
