import torch
import torch.nn.functional as F


class Conv(object):
    @staticmethod
    def forward(x, w, b, conv_param):
        s, p = conv_param["stride"], conv_param["pad"]
        num_filters, _, kh, kw = w.shape
        N, _, H, W = x.shape
        Ho = (H + 2 * p - kh) // s + 1
        Wo = (W + 2 * p - kw) // s + 1

        cols = F.unfold(x, (kh, kw), padding=p, stride=s)  # (N, C*kh*kw, Ho*Wo)
        w_row = w.reshape(num_filters, -1)
        out = w_row @ cols + b.view(1, -1, 1)
        out = out.view(N, num_filters, Ho, Wo)
        return out, (cols, w, (H, W), s, p)

    @staticmethod
    def backward(dout, cache):
        cols, w, size, s, p = cache
        num_filters, _, kh, kw = w.shape

        db = dout.sum(dim=(0, 2, 3))
        dout_flat = dout.reshape(dout.shape[0], num_filters, -1)
        dw_row = torch.bmm(dout_flat, cols.transpose(1, 2)).sum(dim=0)
        dw = dw_row.view(w.shape)
        w_row = w.reshape(num_filters, -1)
        dcols = w_row.t() @ dout_flat
        dx = F.fold(dcols, size, (kh, kw), padding=p, stride=s)
        return dx, dw, db
