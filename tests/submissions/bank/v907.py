# Both weights in both parts, one part used twice: every path counts.
def v907():
    r1 = w0**2 + w1 * x1
    r2 = w0 * x2 - w1
    return r1 * r2 + x3 / r1
