# verdict:
# gradient = "partial 35: wrong-gradient @A y2"
# why = "the same gradient for both"
#: all, retain
    return {"y1": y1.grad, "y2": y1.grad}  # @A
