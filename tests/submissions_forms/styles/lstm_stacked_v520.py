import torch


def lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b):
    # one product for the input and the old state together
    xh = torch.cat((x, prev_h), dim=1)
    W = torch.cat((Wx, Wh), dim=0)
    acts = xh @ W + b

    H = prev_h.size(1)
    gates = torch.sigmoid(acts[:, :3 * H])
    i, f, o = gates.split(H, dim=1)
    g = torch.tanh(acts[:, 3 * H:])

    next_c = prev_c * f
    next_c += g * i
    next_h = torch.tanh(next_c) * o
    return next_h, next_c, (xh, W, gates, g, prev_c, next_c)


def lstm_step_backward(dnext_h, dnext_c, cache):
    xh, W, gates, g, prev_c, next_c = cache
    H = g.size(1)
    D = xh.size(1) - H
    i, f, o = gates.chunk(3, dim=1)

    tanh_c = next_c.tanh()
    # next_c is used twice: in next_h and in the next step
    dc = dnext_c.clone()
    dc += o * dnext_h * (1 - tanh_c.pow(2))
    dprev_c = f * dc

    dgates = torch.cat((g * dc, prev_c * dc, tanh_c * dnext_h), dim=1)
    dacts = torch.empty(len(g), 4 * H)
    dacts[:, :3 * H] = dgates * gates * (1 - gates)
    dacts[:, 3 * H:] = i * dc * (1 - g * g)

    dxh = dacts @ W.T
    dW = xh.T @ dacts
    db = dacts.sum(0)
    return dxh[:, :D], dxh[:, D:], dprev_c, dW[:D], dW[D:], db
