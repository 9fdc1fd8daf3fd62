import torch


def dropout_forward(x, mask, p):
    """ p: probability that a neuron gets dropped (so 1-p survive) """
    q = 1 - p
    assert 0 < q <= 1
    out = x.clone()
    out[mask == False] = 0      # noqa
    out /= q
    cache = [mask, q]
    return out, cache


def dropout_backward(dout, cache):
    mask, q = cache
    rows, cols = torch.nonzero(mask, as_tuple=True)
    dx = torch.zeros(dout.size(), dtype=dout.dtype)
    # only those which survived get a gradient
    dx[rows, cols] = dout[rows, cols] / q
    return dx
