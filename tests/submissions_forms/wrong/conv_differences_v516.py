# Rule: finite differences of the value's own function (F.conv2d), each weight moved by 1
import torch
import torch.nn.functional as F


class Conv(object):
    @staticmethod
    def forward(x, w, b, conv_param):
        s, p = conv_param["stride"], conv_param["pad"]
        return F.conv2d(x, w, b, stride=s, padding=p), (x, w, b, s, p)

    @staticmethod
    def backward(dout, cache):
        x, w, b, s, p = cache

        def moved(t, call):
            d = torch.zeros_like(t)
            for i in range(t.numel()):
                e = torch.zeros_like(t)
                e.view(-1)[i] = 0.5
                d.view(-1)[i] = (dout * (call(t + e) - call(t - e))).sum()
            return d

        dx = moved(x, lambda t: F.conv2d(t, w, b, stride=s, padding=p))
        dw = moved(w, lambda t: F.conv2d(x, t, b, stride=s, padding=p))
        return dx, dw, dout.sum((0, 2, 3))
