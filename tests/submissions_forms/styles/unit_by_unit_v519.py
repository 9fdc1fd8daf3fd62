import torch


def rnn_step_forward(x, prev_h, Wx, Wh, b):
    """
    - x: (N, D), prev_h: (N, H), Wx: (D, H), Wh: (H, H), b: (H,)
    One hidden unit after the other, then stacked.
    """
    H = b.numel()
    units = []
    for j in range(H):
        a_j = (x * Wx[:, j]).sum(1) + (prev_h * Wh[:, j]).sum(1) + b[j]
        units.append(torch.tanh(a_j))
    next_h = torch.stack(units, dim=1)
    # cosh^-2 is tanh' ; next_h is enough
    cache = dict(x=x, prev_h=prev_h, Wx=Wx, Wh=Wh, units=units)
    return next_h, cache


def rnn_step_backward(dnext_h, cache):
    x, prev_h, Wx, Wh = (cache[k] for k in ("x", "prev_h", "Wx", "Wh"))
    dx, dprev_h = torch.zeros_like(x), torch.zeros_like(prev_h)
    dWx, dWh = torch.zeros_like(Wx), torch.zeros_like(Wh)
    db = torch.zeros_like(Wh[0])
    for j, h_j in enumerate(cache["units"]):
        da_j = dnext_h[:, j] - dnext_h[:, j] * h_j ** 2          # (N,)
        dx += da_j[:, None] * Wx[:, j]
        dprev_h += da_j[:, None] * Wh[:, j]
        dWx[:, j] = (da_j[:, None] * x).sum(0)
        dWh[:, j] = (da_j[:, None] * prev_h).sum(0)
        db[j] = da_j.sum()
    return dx, dprev_h, dWx, dWh, db
