# verdict:
# gradient = "partial 46.6667: wrong-shape @A mixed"
# why = "the first alone"
#: all, retain
    return {"scores": scores.grad, "weights": weights.grad, "mixed": mixed.grad[0]}  # @A
