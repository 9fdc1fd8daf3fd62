import torch


def dropout_forward(x, mask):
    return x * mask, mask


def dropout_backward(dout, mask):
    dx = dout * mask
    return dx
