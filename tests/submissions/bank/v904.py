# An exponential, whose derivative is its own value.
def v904():
    return torch.exp(w0 * x1) * w1 + x2
