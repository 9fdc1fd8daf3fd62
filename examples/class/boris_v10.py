import torch
from torch import nn, stack, tensor


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(tensor([0.3, 0.8]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        r1 = w0 * x3 * w1 + w1 * x2 + x3 ** 2
        r2 = (x3 + w1) * (x1 ** 3 - x2 ** 2)
        r3 = x2 ** 3 * w1 / w0
        return (r1 * r2 * r3 + x3) / (x2 + r2 + r3)

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = w0 * x3
        b = a * w1 + w1 * x2
        r1 = b + x3 ** 2
        del b
        c = x1 ** 3 - x2 ** 2
        r2 = (x3 + w1) * c
        d = x2 ** 3 * w1
        r3 = d / w0
        del d
        p = r1 * r2
        n = p * r3 + x3
        m = x2 + r2 + r3
        y = n / m
        del n

        gn = 1 / m
        gm = -y / m
        del m
        gp = gn * r3
        g3 = gn * p + gm
        del p
        g1 = gp * r2
        g2 = gp * r1 + gm
        seed = gn * x3
        del gn, gp, gm, r1, r2
        dw0 = g1 * x3 * w1 + g3 * r3 / w0
        dw1 = g1 * (a + x2) + g2 * c + g3 * r3 / w1
        del g1, g2, g3, a, c, r3
        self.w.grad = stack([dw0, dw1])
        return y
