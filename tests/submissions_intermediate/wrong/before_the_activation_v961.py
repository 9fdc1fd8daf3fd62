# verdict:
# gradient = "partial 35: wrong-gradient @A hidden"
# why = "the name has what stands before tanh"
#: start
    hidden = x @ w
    logits = torch.tanh(hidden) @ v
#: loss, retain
    return {"hidden": hidden.grad, "logits": logits.grad}  # @A
