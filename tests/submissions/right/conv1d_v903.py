# verdict:
import torch
from torch import nn
import torch.nn.functional as F
#: weights

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return (w0 * x1 + w1 * x2) ** 2 / x3

    @torch.no_grad()
    def my_forward_backward(self, x1, x2, x3):
        x = torch.stack([x1, x2]).view(1, 1, 2)
        s = F.conv1d(x, self.w.view(1, 1, 2)).view(())
        y = s ** 2 / x3
        self.w.grad = (2 * s / x3 * x).view(2)
        del x, s
        return y
