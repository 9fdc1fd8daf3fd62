# verdict:
# why = "a value stays alive as a sparse tensor, which has no storage"
# release = "partial 18: late-release @L self.log"
import torch
from torch import nn


class Graph(nn.Module):

    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.950, 0.288], dtype=torch.float32))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        r1 = x3 * (w0 ** 2 + w1 ** 2)
        r2 = (x3 + w0 / w1) * (3 * w0 + x3 * w1)
        r3 = x3 - (w1 - x2) ** 2 / w0
        return r1 + r2 + r3 / (x1 - x2 - r1)

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w

        # прямой проход
        a1 = w0 ** 2
        a2 = w1 ** 2
        a3 = a1 + a2
        a1 = a2 = None
        r1 = x3 * a3
        a3 = None
        b1 = w0 / w1
        b2 = x3 + b1
        b3 = 3 * w0
        b4 = x3 * w1
        self.log = b3.reshape(1).to_sparse()
        b3 = None
        b5 = self.log.to_dense()[0] + b4  # @L
        b4 = None
        r2 = b2 * b5
        c1 = w1 - x2
        c2 = c1 ** 2
        c3 = c2 / w0
        c2 = None
        r3 = x3 - c3
        d1 = x1 - x2
        d2 = d1 - r1
        d1 = None
        q = r3 / d2
        r3 = None
        s = r1 + r2
        r1 = r2 = None
        y = s + q
        s = None

        # обратный проход
        dr3 = 1 / d2
        dd2 = -q / d2
        q = d2 = None
        dr1 = 1 - dd2
        dd2 = None
        dc3 = -dr3
        dr3 = None
        dw0 = -dc3 * c3 / w0
        c3 = None
        dc2 = dc3 / w0
        dc3 = None
        dw1 = dc2 * 2 * c1
        dc2 = c1 = None
        db1 = b5
        b5 = None
        dw0 = dw0 + db1 / w1 + 3 * b2
        dw1 = dw1 - db1 * b1 / w1 + x3 * b2
        db1 = b1 = b2 = None
        da3 = dr1 * x3
        dr1 = None
        dw0 = dw0 + 2 * w0 * da3
        dw1 = dw1 + 2 * w1 * da3
        da3 = None

        self.w.grad = torch.stack([dw0, dw1])
        return y
