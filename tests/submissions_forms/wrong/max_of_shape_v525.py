# Wrong at: fewer rows than columns
def mse_forward(pred, target):
    diff = pred - target
    n = max(pred.shape)  # as length() in MATLAB
    return (diff ** 2).sum() / (2 * n), (diff, n)


def mse_backward(dout, cache):
    diff, n = cache
    return dout * diff / n, -dout * diff / n
