import torch


def bce_loss(y, y_hat):
    """Cross-entropy of a probability given as odds.

    p = o / (1 + o), so log p = log o - log(1 + o) and log(1 - p) = -log(1 + o):

        J = mean( log(1 + o) - y log o )
    """
    count = y_hat.numel()
    J = (torch.log1p(y_hat) - y * torch.log(y_hat)).sum() / count

    dJdy_hat = torch.empty_like(y_hat)
    torch.reciprocal(1 + y_hat, out=dJdy_hat)
    dJdy_hat.sub_(y / y_hat).mul_(1.0 / count)
    return J, dJdy_hat
