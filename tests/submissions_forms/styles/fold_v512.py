import torch

EPS = 1e-5

# At test time batch norm is an affine map, y = a * x + c, with
#   a = gamma / sqrt(var + eps)       c = beta - a * mean


def batchnorm_test_forward(x, gamma, beta, running_mean, running_var):
    sigma = running_var.add(EPS).sqrt()
    a = gamma / sigma
    c = beta - a * running_mean
    y = a.unsqueeze(0) * x + c.unsqueeze(0)
    cache = dict(x=x, a=a, sigma=sigma, mean=running_mean)
    return y, cache


def batchnorm_test_backward(grad_y, cache):
    x, a = cache["x"], cache["a"]

    # y = a x + c
    grad_x = grad_y * a[None, :]
    grad_a = (grad_y * x).sum(dim=0)
    grad_c = grad_y.sum(dim=0)

    # c = beta - a mean
    grad_beta = grad_c
    grad_a = grad_a - grad_c * cache["mean"]

    # a = gamma / sigma
    grad_gamma = grad_a / cache["sigma"]

    return grad_x, grad_gamma, grad_beta
