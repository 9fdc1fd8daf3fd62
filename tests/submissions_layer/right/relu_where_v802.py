# verdict:
# why = "a cache in a list, keyword names of their own"
import torch


def relu_forward(inputs):
    cache = []
    out = torch.where(inputs > 0, inputs, torch.zeros_like(inputs))
    cache.append(out)
    return out, cache


def relu_backward(upstream, saved):
    (out,) = saved
    return torch.where(out > 0, upstream, torch.zeros_like(upstream))
