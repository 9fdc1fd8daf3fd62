# verdict:
# gradient = "partial 48: wrong-gradient @H prev_h"
# why = "the derivative of tanh is left out on one path"
import torch


def rnn_step_forward(x, prev_h, Wx, Wh, b):
    next_h = torch.tanh(x @ Wx + prev_h @ Wh + b)
    return next_h, (x, prev_h, Wx, Wh, next_h)


def rnn_step_backward(dnext_h, cache):
    x, prev_h, Wx, Wh, next_h = cache
    da = (1 - next_h ** 2) * dnext_h
    dprev_h = dnext_h @ Wh.T  # @H
    return da @ Wx.T, dprev_h, x.T @ da, prev_h.T @ da, da.sum(0)
