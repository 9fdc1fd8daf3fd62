import torch


def rnn_step_forward(x, prev_h, Wx, Wh, b):
    a = torch.empty(x.shape[0], Wx.shape[1], dtype=x.dtype)
    torch.mm(x, Wx, out=a)
    a.addmm_(prev_h, Wh)
    torch.add(a, b, out=a)
    h = torch.tanh(a, out=a)
    return h, (x, prev_h, Wx, Wh, h)


def rnn_step_backward(dnext_h, cache):
    x, prev_h, Wx, Wh, h = cache
    da = torch.empty_like(dnext_h)
    torch.mul(h, h, out=da)
    torch.sub(1, da, out=da)
    torch.mul(da, dnext_h, out=da)
    return da.mm(Wx.t()), da.mm(Wh.t()), x.t().mm(da), prev_h.t().mm(da), da.sum(0)
