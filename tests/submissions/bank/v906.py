# One weight.
def v906():
    return w0**3 * x1 + x2
