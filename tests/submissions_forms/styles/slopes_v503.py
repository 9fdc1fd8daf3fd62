import torch


def leaky_relu_forward(x):
    """max(x, a x) for a < 1; the cache is only the sign pattern."""
    a = 0.01
    positive = x.gt(0)
    y = torch.maximum(x, a * x)
    return y, (positive, a)


def leaky_relu_backward(gO, cache):
    positive, a = cache
    # split the upstream gradient by the two branches and glue it again
    gI = torch.zeros_like(gO)
    gI[positive] = gO[positive]
    gI[~positive] = gO[~positive].mul(a)
    return gI
