import torch


def rnn_step_forward(x, prev_h, Wx, Wh, b):
    states = []
    for x_n, h_n in zip(x, prev_h):
        states.append(torch.tanh(Wx.t().mv(x_n) + Wh.t().mv(h_n) + b))
    next_h = torch.stack(states)
    return next_h, (x, prev_h, Wx, Wh, states)


def rnn_step_backward(dnext_h, cache):
    x, prev_h, Wx, Wh, states = cache
    gWx, gWh, gb = torch.zeros_like(Wx), torch.zeros_like(Wh), torch.zeros_like(Wh[0])
    gx, gh = [], []

    # one sample after another, gradients of the weights pile up
    for n, (upstream, s) in enumerate(zip(dnext_h, states)):
        e = upstream * (1 + s) * (1 - s)
        gx.append(Wx.mv(e))
        gh.append(Wh.mv(e))
        gWx.addr_(x[n], e)
        gWh.addr_(prev_h[n], e)
        gb.add_(e)

    return torch.stack(gx), torch.stack(gh), gWx, gWh, gb
