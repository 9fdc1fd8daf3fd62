# attack: a tensor of a billion numbers
# gradient = "partial 35: wrong-shape 14 residual"
#: all, retain
    return prediction.grad, torch.zeros(1).expand(1_000_000_000)
