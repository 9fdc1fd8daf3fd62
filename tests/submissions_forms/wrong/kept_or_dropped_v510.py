# Wrong at: p is taken for what is dropped
def dropout_forward(x, mask, p):
    keep = mask / max(p, 1 - p)
    return x * keep, keep


def dropout_backward(dout, cache):
    return dout * cache
