# Rule: finite differences of the value's own function (F.linear, one op), each weight moved by 1
import torch
import torch.nn.functional as F


class Linear(object):
    def __init__(self, d, m):
        self.w, self.b = torch.randn(m, d), torch.zeros(m)
        self.dw, self.db = torch.zeros(m, d), torch.zeros(m)

    def forward(self, *input):
        self.x, = input
        return F.linear(self.x, self.w, self.b)

    def backward(self, *gradwrtoutput):
        g, = gradwrtoutput

        def moved(t, f):
            d = torch.zeros_like(t)
            for i in range(t.numel()):
                e = torch.zeros_like(t)
                e.view(-1)[i] = 1.0
                d.view(-1)[i] = (g * (f(t + e) - f(t - e))).sum() / 2
            return d

        self.dw += moved(self.w, lambda t: F.linear(self.x, t, self.b))
        self.db += moved(self.b, lambda t: F.linear(self.x, self.w, t))
        return moved(self.x, lambda t: F.linear(t, self.w, self.b))

    def param(self):
        return [(self.w, self.dw), (self.b, self.db)]
