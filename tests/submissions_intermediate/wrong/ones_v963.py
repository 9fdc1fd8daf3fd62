# verdict:
# gradient = "partial 35: wrong-gradient @A residual"
# why = "ones for the gradient"
#: all, retain
    return prediction.grad, torch.ones_like(residual)  # @A
