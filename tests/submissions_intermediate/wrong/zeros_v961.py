# verdict:
# gradient = "partial 35: wrong-gradient @A logits"
# why = "zeros for the gradient"
#: all, retain
    return hidden.grad, torch.zeros_like(logits)  # @A
