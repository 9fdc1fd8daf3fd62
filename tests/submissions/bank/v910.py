# A sine and a cosine.
def v910():
    return torch.sin(w0 * x1) * torch.cos(w1 * x2) + x3
