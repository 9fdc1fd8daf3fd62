# verdict:
# gradient = "partial 35: wrong-shape @A logits"
# why = "transposed"
#: all, retain
    return {"hidden": hidden.grad, "logits": logits.grad.T}  # @A
