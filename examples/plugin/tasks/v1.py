# A task for the exercise of this plugin.
def v1():
    return w0 * x1 + w1 * (x2 * x3)
