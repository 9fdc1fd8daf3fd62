# Linear behind a relu: the pass may branch on a value.
def v901():
    return torch.relu(w0 * x1) + w1 * x2
