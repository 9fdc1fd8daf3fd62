# verdict:
# gradient = "partial 46.6667: wrong-gradient @A mixed"
# why = "divided by its norm"
#: all, retain
    return scores.grad, weights.grad, mixed.grad / mixed.grad.norm()  # @A
