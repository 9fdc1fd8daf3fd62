import torch
import numpy as np
import random


def nn_forward_pass(params, X):
    W1, b1 = params['W1'], params['b1']
    W2, b2 = params['W2'], params['b2']
    z1 = torch.mm(X, W1) + b1.view(1, -1)
    h1 = torch.where(z1 > 0, z1, torch.zeros_like(z1))
    scores = torch.mm(h1, W2) + b2.view(1, -1)
    return scores, h1


def softmax_loss(scores, y):
    N = scores.shape[0]
    s = scores - scores.max(dim=1)[0].reshape(N, 1)
    logsum = torch.log(torch.exp(s).sum(dim=1))
    losses = torch.zeros(N, dtype=scores.dtype)
    for i in range(N):
        losses[i] = logsum[i] - s[i, y[i]]
    ds = torch.exp(s - logsum[:, None])
    for i in range(N):
        ds[i, y[i]] -= 1
    return losses.mean(), ds / N


def nn_forward_backward(params, X, y=None, reg=0.0):
    W1, b1 = params['W1'], params['b1']
    W2, b2 = params['W2'], params['b2']
    scores, h1 = nn_forward_pass(params, X)
    if y is None:
        return scores

    loss, dscores = softmax_loss(scores, y)
    reg_loss = 0
    for name in ['W1', 'W2']:
        reg_loss += torch.sum(params[name] ** 2)
    loss = loss + reg * reg_loss

    grads = {}
    # second layer
    grads['W2'] = torch.mm(h1.t(), dscores)
    grads['b2'] = torch.sum(dscores, dim=0)
    # relu
    dh1 = torch.mm(dscores, W2.t())
    relu_mask = (h1 > 0).float()
    dz1 = dh1 * relu_mask
    # first layer
    grads['W1'] = torch.mm(X.t(), dz1)
    grads['b1'] = torch.sum(dz1, dim=0)
    # add regularization
    for name in ['W1', 'W2']:
        grads[name] += 2 * reg * params[name]

    # check the shapes
    for name in grads:
        assert grads[name].shape == params[name].shape, name
    return loss, grads
