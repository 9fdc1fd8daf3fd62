# verdict:
# gradient = "partial 35: no-gradient @A y2"
# why = "texts for tensors"
#: all, retain
    return {"y1": y1.grad, "y2": str(y2.grad)}  # @A
