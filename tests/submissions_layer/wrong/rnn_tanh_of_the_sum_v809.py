# verdict:
# failed = "gradient wrong-gradient @P x, gradient wrong-gradient @Q prev_h, gradient wrong-gradient @R Wx, gradient wrong-gradient @S Wh, gradient wrong-gradient @T b"
# why = "1 - tanh instead of 1 - tanh squared"
import torch


def rnn_step_forward(x, prev_h, Wx, Wh, b):
    next_h = torch.tanh(x @ Wx + prev_h @ Wh + b)
    return next_h, (x, prev_h, Wx, Wh, next_h)


def rnn_step_backward(dnext_h, cache):
    x, prev_h, Wx, Wh, next_h = cache
    da = (1 - next_h) * dnext_h
    dx = da @ Wx.T  # @P
    dprev_h = da @ Wh.T  # @Q
    dWx = x.T @ da  # @R
    dWh = prev_h.T @ da  # @S
    return dx, dprev_h, dWx, dWh, da.sum(0)  # @T
