import torch


def lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b):
    """x: (N, D), prev_h and prev_c: (N, H), Wx: (D, 4H), Wh: (H, 4H), b: (4H,)"""
    H = prev_h.shape[1]
    a = x.mm(Wx) + prev_h.mm(Wh) + b
    i = torch.sigmoid(a[:, :H])
    f = torch.sigmoid(a[:, H : 2 * H])
    o = torch.sigmoid(a[:, 2 * H : 3 * H])
    g = torch.tanh(a[:, 3 * H :])
    next_c = f * prev_c + i * g
    t = torch.tanh(next_c)
    next_h = o * t
    cache = (x, prev_h, prev_c, Wx, Wh, i, f, o, g, t)
    return next_h, next_c, cache


def lstm_step_backward(dnext_h, dnext_c, cache):
    x, prev_h, prev_c, Wx, Wh, i, f, o, g, t = cache
    dc = dnext_c + dnext_h * o * (1 - t**2)
    do = dnext_h * t
    di = dc * g
    df = dc * prev_c
    dg = dc * i
    dprev_c = dc * f
    dai = di * i * (1 - i)
    daf = df * f * (1 - f)
    dao = do * o * (1 - o)
    dag = dg * (1 - g**2)
    da = torch.cat([dai, daf, dao, dag], dim=1)
    dx = da.mm(Wx.t())
    dprev_h = da.mm(Wh.t())
    dWx = x.t().mm(da)
    dWh = prev_h.t().mm(da)
    db = da.sum(dim=0)
    return dx, dprev_h, dprev_c, dWx, dWh, db
