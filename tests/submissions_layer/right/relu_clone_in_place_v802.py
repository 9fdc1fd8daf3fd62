# verdict:
# why = "zeros are put into clones"
import torch


def relu_forward(x):
    out = x.clone()
    out[out < 0] = 0
    return out, x


def relu_backward(dout, cache):
    x = cache
    dx = dout.clone()
    dx[x <= 0] = 0
    return dx
