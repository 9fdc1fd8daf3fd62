# verdict:
# gradient = "partial 35: no-gradient @A logits"
# why = "a key of another name"
#: all, retain
    return {"hidden": hidden.grad, "Logits": logits.grad}  # @A
