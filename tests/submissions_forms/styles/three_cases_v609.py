import torch


def logistic_loss(w, b, X, y):
    z = X.mv(w) + b
    plus, minus = -torch.nn.functional.logsigmoid(z), -torch.nn.functional.logsigmoid(-z)
    # plus is the loss of a sample of class 1, minus of class 0
    losses = torch.where(y == 1, plus, torch.where(y == 0, minus, minus - y * z))
    dz = (torch.sigmoid(z) - y) / len(y)
    return losses.mean(), (X.t().mv(dz), dz.sum())
