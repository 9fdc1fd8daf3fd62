# verdict:
import torch
from torch import nn
import argparse
cfg = argparse.Namespace()
cfg.scale = 1.0
vars(cfg).update(order=(0, 1))
#: weights, forward, pass_without_grad
        i, j = cfg.order
        w = self.w
        a, b = w[i] * x1, w[j] * x2
        y = a * b + x3
        self.w.grad = torch.stack([b * x1, a * x2])
        del a, b
        return y
