# Two products and a sum: the smallest function with something to release.
def v902():
    r1 = w0 * x1
    r2 = w1 * x2
    return r1 * r2 + x3
