import torch


def bce_loss(y, y_hat):
    # y_hat are odds
    p = y_hat / (1 + y_hat)
    J = -(y * torch.log(p) + (1 - y) * torch.log(1 - p)).mean()
    dJdp = (p - y) / (p * (1 - p)) / y.numel()
    dJdy_hat = dJdp / (1 + y_hat) ** 2
    return J, dJdy_hat
