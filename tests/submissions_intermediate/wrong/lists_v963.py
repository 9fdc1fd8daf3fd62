# verdict:
# gradient = "partial 35: no-gradient @A residual"
# why = "lists for tensors"
#: all, retain
    return {"prediction": prediction.grad, "residual": residual.grad.tolist()}  # @A
