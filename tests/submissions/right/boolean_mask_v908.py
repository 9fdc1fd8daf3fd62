# verdict:
import torch
from torch import nn
import torch.nn.functional as F
import math, numpy as np
#: weights
        self.act = nn.ReLU()

    def forward(self, x1, x2):
        return torch.relu(self.w[0] * x1 - self.w[1] * x2)
#: pass
        d = (self.w[0] * x1 - self.w[1] * x2).reshape(1)
        y = torch.zeros(1)
        on = d > 0
        y[on] = d[on]
        del d
        g = torch.zeros(1)
        g[on] = 1.0
        del on
        dw0, dw1 = g * x1, -g * x2
        del g
        self.w.grad = torch.cat([dw0, dw1])
        return y[0]
