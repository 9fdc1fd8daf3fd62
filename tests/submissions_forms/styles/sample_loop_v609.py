import torch


def logistic_loss(w, b, X, y):
    """Sample after sample, sums kept in place; sigma(z) = (1 + tanh(z / 2)) / 2 never overflows."""
    J = torch.zeros_like(b)
    w_grad = torch.zeros_like(w)
    b_grad = torch.zeros_like(b)
    share = 1.0 / X.shape[0]

    for features, label in zip(X, y):
        z = torch.dot(w, features).add(b)
        J.add_(torch.logaddexp(z, torch.zeros_like(z)) - label * z)

        guess = torch.tanh(z / 2).add(1).div(2)
        miss = guess - label
        w_grad.add_(miss * features)
        b_grad.add_(miss)

    return J.mul_(share), (w_grad.mul_(share), b_grad.mul_(share))
