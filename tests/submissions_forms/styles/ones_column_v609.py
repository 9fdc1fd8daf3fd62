import torch


def add_intercept(X):
    return torch.cat([X, torch.ones(X.shape[0], 1, dtype=X.dtype)], dim=1)


def split(theta):
    return theta[:-1], theta[-1]


def h(theta, Xb):
    """hypothesis, both tails without overflow"""
    z = Xb.matmul(theta)
    small = torch.exp(-torch.abs(z))
    return torch.where(z >= 0, 1 / (1 + small), small / (1 + small)), z


def logistic_loss(w, b, X, y):
    Xb = add_intercept(X)
    theta = torch.cat([w, b.reshape(1)])
    m = y.numel()

    p, z = h(theta, Xb)
    cost = torch.logaddexp(z, torch.zeros_like(z)) - z * y
    J = torch.dot(cost, torch.ones_like(cost)) / m

    # grad J = 1/m * Xb' (h - y)
    grad = (Xb * (p - y).unsqueeze(1)).mean(dim=0)
    dw, db = split(grad)
    return J, (dw, db)
