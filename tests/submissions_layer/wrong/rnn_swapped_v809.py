# verdict:
# gradient = "partial 36: wrong-shape @P Wx, wrong-shape @Q Wh"
# why = "the gradients of the two matrices are swapped"
import torch


def rnn_step_forward(x, prev_h, Wx, Wh, b):
    next_h = torch.tanh(x @ Wx + prev_h @ Wh + b)
    return next_h, (x, prev_h, Wx, Wh, next_h)


def rnn_step_backward(dnext_h, cache):
    x, prev_h, Wx, Wh, next_h = cache
    da = (1 - next_h ** 2) * dnext_h
    dWx = x.T @ da  # @Q
    dWh = prev_h.T @ da  # @P
    return da @ Wx.T, da @ Wh.T, dWh, dWx, da.sum(0)
