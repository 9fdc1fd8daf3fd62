import torch


# h_t = tanh([x, h_{t-1}] [Wx; Wh] + b) as ONE linear layer on the concatenated input.


def rnn_step_forward(x, prev_h, Wx, Wh, b):
    xh = torch.cat((x, prev_h), dim=1)
    W = torch.cat((Wx, Wh), dim=0)
    z = torch.addmm(b, xh, W)
    next_h = torch.tanh(z)
    D = x.size(1)
    return next_h, (xh, W, z, D)


def rnn_step_backward(dnext_h, cache):
    (xh, W, z, D) = cache

    local = 1 / torch.cosh(z) ** 2  # tanh' = sech^2
    delta = local * dnext_h

    dxh = torch.einsum("nh,kh->nk", delta, W)
    dW = torch.einsum("nk,nh->kh", xh, delta)
    db = torch.einsum("nh->h", delta)

    dx, dprev_h = dxh[:, :D], dxh[:, D:]
    dWx, dWh = dW[:D], dW[D:]
    return dx, dprev_h, dWx, dWh, db
