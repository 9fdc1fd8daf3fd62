import torch


def bce_loss(y, y_hat):
    # y_hat are odds: p = y_hat / (1 + y_hat)
    log_p = torch.log(y_hat) - torch.log1p(y_hat)
    log_q = -torch.log1p(y_hat)
    losses = torch.where(y == 1, -log_p, torch.where(y == 0, -log_q, -(y * log_p + (1 - y) * log_q)))
    J = losses.sum() / y.numel()
    p = y_hat / (1 + y_hat)
    slope = torch.where(y == 0, p, torch.where(y == 1, p - 1, p - y))
    dJdy_hat = slope / y_hat / y.numel()
    return J, dJdy_hat
