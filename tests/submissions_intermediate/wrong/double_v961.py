# verdict:
# gradient = "partial 35: wrong-dtype @A hidden"
# why = "converted to float64"
#: all, retain
    return {"hidden": hidden.grad.double(), "logits": logits.grad}  # @A
