# verdict:
# gradient = "partial 35: wrong-shape @A logits"
# why = "in one row"
#: all, retain
    return {"hidden": hidden.grad, "logits": logits.grad.flatten()}  # @A
