import math

import torch


def one_forward(row):
    return row * 0.5 * (1 + torch.erf(row / math.sqrt(2)))


def one_backward(row, drow):
    cdf = 0.5 * (1 + torch.erf(row / math.sqrt(2)))
    pdf = torch.exp(-row * row / 2) / math.sqrt(2 * math.pi)
    return drow * (cdf + row * pdf)


def gelu(x):
    return torch.vmap(one_forward)(x), x


def gelu_backward(dout, x):
    return torch.vmap(one_backward)(x, dout)
