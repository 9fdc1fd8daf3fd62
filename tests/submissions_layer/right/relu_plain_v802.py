# verdict:
# why = "the cache is one tensor"
import torch


def relu_forward(x):
    out = x.clamp(min=0)
    cache = x
    return out, cache


def relu_backward(dout, cache):
    dx, x = None, cache
    dx = dout * (x > 0)
    return dx
