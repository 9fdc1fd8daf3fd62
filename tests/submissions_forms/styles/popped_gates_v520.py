import torch
from collections import deque


def lstm_step_forward(x, prev_h, prev_c, Wx, Wh, b):
    tape = deque()
    H = prev_h.shape[1]
    a = x @ Wx + prev_h @ Wh + b
    i, f, o = torch.sigmoid(a[:, :3 * H]).split(H, dim=1)
    g = torch.tanh(a[:, 3 * H:])
    c = f * prev_c + i * g
    t = torch.tanh(c)
    tape.append((x, prev_h, Wx, Wh))
    tape.append((i, f, o, g, prev_c))
    tape.append(t)
    return o * t, c, tape


def lstm_step_backward(dh, dc, tape):
    t = tape.pop()
    i, f, o, g, prev_c = tape.pop()
    dc = dc + dh * o * (1 - t * t)
    da = torch.hstack([
        dc * g * i * (1 - i), dc * prev_c * f * (1 - f), dh * t * o * (1 - o), dc * i * (1 - g * g)])
    x, prev_h, Wx, Wh = tape.pop()
    return da @ Wx.T, da @ Wh.T, dc * f, x.T @ da, prev_h.T @ da, da.sum(0)
