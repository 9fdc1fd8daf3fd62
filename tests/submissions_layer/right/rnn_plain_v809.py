# verdict:
# why = "a tuple of five"
import torch


def rnn_step_forward(x, prev_h, Wx, Wh, b):
    next_h = torch.tanh(x.mm(Wx) + prev_h.mm(Wh) + b)
    cache = (x, prev_h, Wx, Wh, b, next_h)
    return next_h, cache


def rnn_step_backward(dnext_h, cache):
    x, prev_h, Wx, Wh, b, next_h = cache
    dz = dnext_h * (1 - next_h ** 2)
    dx = dz.mm(Wx.t())
    dprev_h = dz.mm(Wh.t())
    dWx = x.t().mm(dz)
    dWh = prev_h.t().mm(dz)
    db = dz.sum(0)
    return dx, dprev_h, dWx, dWh, db
