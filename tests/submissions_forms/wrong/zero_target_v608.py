# Wrong at: a target of 0 exactly (the usual one): no gradient
import torch


def bce_loss(y, y_hat):
    p = y_hat / (1 + y_hat)
    J = -(y * p.log() + (1 - y) * (1 - p).log()).mean()
    a = torch.where(y == 0, torch.zeros_like(y), y) / p
    b = torch.where(y == 0, torch.zeros_like(y), 1 - y) / (1 - p)
    dp = (b - a) / y.numel()
    return J, dp / (1 + y_hat) ** 2
