# verdict:
# gradient = "partial 46.6667: no-gradient @A mixed"
# why = "arrays of numpy for tensors"
#: all, retain
    return {"scores": scores.grad, "weights": weights.grad, "mixed": mixed.grad.numpy()}  # @A
