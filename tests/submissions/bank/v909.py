# A root, whose value its derivative uses again; it has none where w0 * x1 is negative.
def v909():
    return torch.sqrt(w0 * x1) * torch.tanh(w1) + torch.max(x2, w1)
