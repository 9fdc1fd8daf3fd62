import torch


def positions(C, Hp, Wp, kh, kw, s):
    """Flat places in a padded (C, Hp, Wp) image of each element (row) of each window (column)."""
    oh, ow = (Hp - kh) // s + 1, (Wp - kw) // s + 1
    a = torch.arange(C).view(C, 1, 1) * (Hp * Wp)
    a = a + torch.arange(kh).view(1, kh, 1) * Wp
    a = a + torch.arange(kw).view(1, 1, kw)
    o = torch.arange(oh).view(oh, 1) * (s * Wp) + torch.arange(ow).view(1, ow) * s
    return a.reshape(-1, 1) + o.reshape(1, -1), oh, ow


class Conv(object):

    @staticmethod
    def forward(x, w, b, conv_param):
        s = conv_param["stride"]
        p = conv_param["pad"]
        n, C, H, W = x.shape
        f, _, kh, kw = w.shape
        Hp, Wp = H + 2 * p, W + 2 * p
        X = x.new_zeros(n, C, Hp, Wp)
        X[:, :, p:p + H, p:p + W].copy_(x)
        ix, oh, ow = positions(C, Hp, Wp, kh, kw, s)
        # K x (P n): one column a window, as one big matrix
        M = X.view(n, -1)[:, ix.flatten()].view(n, *ix.shape).permute(1, 2, 0).flatten(1)
        y = w.flatten(1).mm(M) + b[:, None]
        y = y.view(f, oh, ow, n).permute(3, 0, 1, 2)
        return y, [M, w, ix, (n, C, H, W, p)]

    @staticmethod
    def backward(dout, cache):
        M, w, ix, (n, C, H, W, p) = cache
        g = dout.permute(1, 2, 3, 0).flatten(1)
        gb = g.sum(1)
        gw = g.mm(M.t()).view_as(w)
        gM = w.flatten(1).t().mm(g).view(ix.numel(), n)
        Hp, Wp = H + 2 * p, W + 2 * p
        gX = g.new_zeros(C * Hp * Wp, n)
        gX.index_add_(0, ix.flatten(), gM)
        gx = gX.t().view(n, C, Hp, Wp)[:, :, p:p + H, p:p + W]
        return gx, gw, gb
