import torch
import torch.nn as nn


def bce_loss(y, y_hat):
    """
    Args:
        y: labels (n, m)
        y_hat: odds (n, m), p = y_hat / (1 + y_hat)
    Return:
        J, dJdy_hat
    """
    n, m = y.shape
    one = torch.ones_like(y_hat)
    denom = one + y_hat
    p = y_hat / denom
    not_p = 1 / denom            # 1 - p

    # forward
    term1 = y * torch.log(p)
    term2 = (1 - y) * torch.log(not_p)
    J = torch.sum(-term1 - term2) / (n * m)

    # backward
    dterm1 = -one / (n * m)
    dterm2 = -one / (n * m)
    dp = dterm1 * y / p
    dnot_p = dterm2 * (1 - y) / not_p

    # p = y_hat / denom
    dy_hat = dp / denom
    ddenom = -dp * y_hat / denom.pow(2)
    # not_p = 1 / denom
    ddenom += -dnot_p / denom.pow(2)
    # denom = 1 + y_hat
    dy_hat += ddenom

    dJdy_hat = dy_hat
    assert dJdy_hat.shape == y_hat.shape
    return J, dJdy_hat
