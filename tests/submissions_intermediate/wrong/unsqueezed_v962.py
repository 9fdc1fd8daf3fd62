# verdict:
# gradient = "partial 35: wrong-shape @A y1"
# why = "one dimension more"
#: all, retain
    return {"y1": y1.grad.unsqueeze(0), "y2": y2.grad}  # @A
