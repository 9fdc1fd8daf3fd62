# verdict:
# variant = "v902"
# why = "looks at values in every way, and keeps nothing"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        c = a * b
        y = c + x3
        print('c', c.tolist(), c.numpy(), repr(c), f'{c:.3f}', float(c))
        c = None
        dw0 = b * x1
        print('b', b.tolist(), b.numpy(), repr(b), f'{b:.3f}', float(b))
        b = None
        dw1 = a * x2
        print('a', a.tolist(), a.numpy(), repr(a), f'{a:.3f}', float(a))
        a = None
        self.w.grad = torch.stack([dw0, dw1])
        return y
