# A chain: one adjoint serves both weights.
def v903():
    s = w0 * x1 + w1 * x2
    return s**2 / x3
