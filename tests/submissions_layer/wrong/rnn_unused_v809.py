# verdict:
# unused-nodes = "partial 8: unused-node @A pre, unused-node @B dpre"
# why = "two tensors that nobody reads"
import torch


def rnn_step_forward(x, prev_h, Wx, Wh, b):
    next_h = torch.tanh(x @ Wx + prev_h @ Wh + b)
    pre = x @ Wx  # @A
    return next_h, (x, prev_h, Wx, Wh, next_h)


def rnn_step_backward(dnext_h, cache):
    x, prev_h, Wx, Wh, next_h = cache
    da = (1 - next_h ** 2) * dnext_h
    dpre = torch.zeros_like(da)  # @B
    return da @ Wx.T, da @ Wh.T, x.T @ da, prev_h.T @ da, da.sum(0)
