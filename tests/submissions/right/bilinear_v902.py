# verdict:
import torch
from torch import nn
import torch.nn.functional as F
#: weights, forward, pass_without_grad
        w0, w1 = self.w
        a, b = (w0 * x1).view(1), (w1 * x2).view(1)
        y = F.bilinear(a, b, torch.ones(1, 1, 1)).view(()) + x3
        self.w.grad = torch.cat([b * x1, a * x2])
        del a, b
        return y
