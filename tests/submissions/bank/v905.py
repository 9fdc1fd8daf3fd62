# Three weights, two inputs.
def v905():
    return w0 * x1 + w1 * w2 * x2
