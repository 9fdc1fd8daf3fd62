# verdict:
# gradient = "partial 35: wrong-shape @A hidden"
# why = "summed over the batch"
#: all, retain
    return {"hidden": hidden.grad.sum(0), "logits": logits.grad}  # @A
