# Rule: finite differences of the value's own function (F.gelu), of a high order
import torch
import torch.nn.functional as F

A = (8 / 9, -14 / 45, 56 / 495, -7 / 198, 56 / 6435, -2 / 1287, 8 / 45045, -1 / 102960) # not all needed
C = (4 / 5, -1 / 5, 4 / 105, -1 / 280)


def gelu(x):
    return F.gelu(x), x


def gelu_backward(dout, x):
    x, h = x.double(), 0.05
    d = sum(c * (F.gelu(x + k * h) - F.gelu(x - k * h)) for k, c in enumerate(C, 1)) / h
    return dout * d.to(dout.dtype)
