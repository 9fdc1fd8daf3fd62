import torch


def tanh_forward(x):
    e = torch.exp(-2 * x.abs())
    out = x.sign() * (1 - e) / (1 + e)
    return out, out


def tanh_backward(dout, out):
    dx = (1 - out**2) * dout
    return dx
