import torch


def rnn_step_forward(x, prev_h, Wx, Wh, b):
    """x: (N, D), prev_h: (N, H), Wx: (D, H), Wh: (H, H), b: (H,)"""
    a = prev_h.mm(Wh) + x.mm(Wx) + b
    next_h = a.tanh()
    cache = (x, prev_h, Wx, Wh, next_h)
    return next_h, cache


def rnn_step_backward(dnext_h, cache):
    x, prev_h, Wx, Wh, next_h = cache
    da = dnext_h * (1 - next_h**2)
    dx = da.mm(Wx.t())
    dprev_h = da.mm(Wh.t())
    dWx = x.t().mm(da)
    dWh = prev_h.t().mm(da)
    db = da.sum(dim=0)
    return dx, dprev_h, dWx, dWh, db
