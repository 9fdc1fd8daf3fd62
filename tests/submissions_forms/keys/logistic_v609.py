import torch


def sigmoid(z):
    return 1 / (1 + torch.exp(-z))


def logistic_loss(w, b, X, y):
    m = X.shape[0]
    z = X @ w + b
    loss = (torch.log1p(torch.exp(-z.abs())) + z.clamp(min=0) - y * z).mean()
    error = sigmoid(z) - y
    dw = X.t() @ error / m
    db = error.sum() / m
    return loss, (dw, db)
