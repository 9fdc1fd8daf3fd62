# verdict:
# gradient = "partial 35: wrong-gradient @A residual"
# why = "the size of the gradient"
#: all, retain
    return prediction.grad, residual.grad.abs()  # @A
