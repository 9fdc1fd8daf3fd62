import torch


def bce_loss(y, y_hat):
    p = y_hat / (1 + y_hat)
    q = 1 / (1 + y_hat)
    J = -(torch.xlogy(y, p) + torch.xlogy(1 - y, q)).mean()
    dJdp = (-y / p + (1 - y) / q) / y.numel()
    return J, dJdp * q * q
