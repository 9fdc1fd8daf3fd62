import torch


def dropout_forward(x, mask, p):
    # p is the probability of keeping a unit, as in inverted dropout of the lecture
    scaled_mask = mask.float() / p
    out = x * scaled_mask
    cache = (scaled_mask, p)
    return out, cache


def dropout_backward(dout, cache):
    scaled_mask, p = cache
    return dout * scaled_mask
