import torch


def bce_loss(y, y_hat):
    """
    Args:
        y: the label tensor (batch_size, m)
        y_hat: the odds (batch_size, m), p = y_hat / (1 + y_hat)

    Return:
        J: scalar of loss
        dJdy_hat: The gradient tensor of shape (batch_size, m)

    On paper:
        log p       = log o - log(1 + o)
        log (1 - p) =       - log(1 + o)
        y log p + (1-y) log(1-p) = y log o - log(1 + o)
    """
    batch_size, m = y_hat.shape
    assert y.shape == y_hat.shape
    J = (torch.log1p(y_hat) - y * torch.log(y_hat)).sum().div(batch_size * m)
    # d/do log(1+o) = 1/(1+o),   d/do y log o = y/o
    dJdy_hat = torch.reciprocal(1 + y_hat) - y / y_hat
    dJdy_hat /= batch_size * m
    return J, dJdy_hat
