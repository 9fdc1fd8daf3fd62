# verdict:
# gradient = "partial 35: wrong-shape @A residual"
# why = "the mean of all"
#: all, retain
    return {"prediction": prediction.grad, "residual": residual.grad.mean()}  # @A
