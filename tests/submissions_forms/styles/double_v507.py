import torch


def sigma(u):
    return torch.sigmoid(u)


def tanh_forward(x):
    # tanh(x) = 2 sigma(2x) - 1
    s = sigma(2 * x)
    return 2 * s - 1, {"s": s}


def tanh_backward(d_out, cache):
    # chain rule in three links: out <- s <- u <- x
    s = cache["s"]
    d_s = 2 * d_out
    d_u = d_s * s * (1 - s)
    d_x = 2 * d_u
    return d_x
