# verdict:
# why = "one product of what is put side by side, taken apart again"
import torch


def rnn_step_forward(x, prev_h, Wx, Wh, b):
    both = torch.cat([x, prev_h], dim=1)
    weights = torch.cat([Wx, Wh], dim=0)
    e = torch.exp(-2 * (both @ weights + b))
    next_h = (1 - e) / (1 + e)
    return next_h, (both, weights, next_h, x.shape[1])


def rnn_step_backward(dnext_h, cache):
    both, weights, next_h, d = cache
    da = dnext_h - dnext_h * next_h * next_h
    dboth = da @ weights.T
    dweights = both.T @ da
    dx, dh = dboth[:, :d], dboth[:, d:]
    dWx, dWh = dweights.split([d, dweights.shape[0] - d])
    return dx, dh, dWx, dWh, da.sum(0)
