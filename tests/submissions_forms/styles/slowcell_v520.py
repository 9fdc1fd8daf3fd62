import torch


def sigmoid(x):
    return 1 / (1 + torch.exp(-x))


def lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b):
    N, H = prev_h.shape
    D = x.shape[1]
    assert Wx.shape == (D, 4 * H)
    assert Wh.shape == (H, 4 * H)

    # split the big matrices up, I find it easier to read
    Wxi, Wxf, Wxo, Wxg = Wx[:, 0:H], Wx[:, H:2*H], Wx[:, 2*H:3*H], Wx[:, 3*H:4*H]
    Whi, Whf, Who, Whg = Wh[:, 0:H], Wh[:, H:2*H], Wh[:, 2*H:3*H], Wh[:, 3*H:4*H]
    bi, bf, bo, bg = b[0:H], b[H:2*H], b[2*H:3*H], b[3*H:4*H]

    i = sigmoid(torch.matmul(x, Wxi) + torch.matmul(prev_h, Whi) + bi)
    f = sigmoid(torch.matmul(x, Wxf) + torch.matmul(prev_h, Whf) + bf)
    o = sigmoid(torch.matmul(x, Wxo) + torch.matmul(prev_h, Who) + bo)
    g = torch.tanh(torch.matmul(x, Wxg) + torch.matmul(prev_h, Whg) + bg)

    next_c = f * prev_c + i * g
    next_h = o * torch.tanh(next_c)
    cache = (x, prev_h, prev_c, Wx, Wh, i, f, o, g, next_c)
    return next_h, next_c, cache


def lstm_step_backward(dnext_h, dnext_c, cache):
    (x, prev_h, prev_c, Wx, Wh, i, f, o, g, next_c) = cache
    H = prev_h.shape[1]

    # next_h = o * tanh(next_c)
    do = dnext_h * torch.tanh(next_c)
    # careful: don't change dnext_c in place, it belongs to the caller
    dnc = dnext_c.clone()
    dnc = dnc + dnext_h * o * (1 - torch.tanh(next_c) ** 2)

    # next_c = f * prev_c + i * g
    df = dnc * prev_c
    dprev_c = dnc * f
    di = dnc * g
    dg = dnc * i

    # activations
    di_raw = di * i * (1 - i)
    df_raw = df * f * (1 - f)
    do_raw = do * o * (1 - o)
    dg_raw = dg * (1 - g ** 2)

    dx = torch.zeros_like(x)
    dprev_h = torch.zeros_like(prev_h)
    dWx = torch.zeros_like(Wx)
    dWh = torch.zeros_like(Wh)
    db = torch.zeros(4 * H, dtype=x.dtype)
    for k, d_raw in enumerate([di_raw, df_raw, do_raw, dg_raw]):
        a, e = k * H, (k + 1) * H
        dx += torch.matmul(d_raw, Wx[:, a:e].t())
        dprev_h += torch.matmul(d_raw, Wh[:, a:e].t())
        dWx[:, a:e] = torch.matmul(x.t(), d_raw)
        dWh[:, a:e] = torch.matmul(prev_h.t(), d_raw)
        db[a:e] = torch.sum(d_raw, dim=0)
    return dx, dprev_h, dprev_c, dWx, dWh, db
