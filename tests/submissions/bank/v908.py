# A relu of a difference: even positive weights and inputs take both branches.
def v908():
    return torch.relu(w0 * x1 - w1 * x2)
