import torch

WORKSPACE = {}


def scratch(name, shape, like):
    """A buffer for what is needed within one call, made when it is first asked for."""
    key = name, tuple(shape)
    if key not in WORKSPACE:
        WORKSPACE[key] = torch.empty(shape, dtype=like.dtype)
    return WORKSPACE[key]


def rnn_step_forward(x, prev_h, Wx, Wh, b):
    n, h = prev_h.shape
    a = scratch("from_x", (n, h), x)
    torch.mm(x, Wx, out=a)
    r = scratch("from_h", (n, h), x)
    torch.mm(prev_h, Wh, out=r)
    next_h = torch.tanh(a + r + b)
    return next_h, (x, prev_h, Wx, Wh, next_h)


def rnn_step_backward(dnext_h, cache):
    x, prev_h, Wx, Wh, next_h = cache
    da = scratch("da", dnext_h.shape, x)
    torch.mul(1 - next_h * next_h, dnext_h, out=da)
    return da @ Wx.t(), da @ Wh.t(), x.t() @ da, prev_h.t() @ da, da.sum(0)
