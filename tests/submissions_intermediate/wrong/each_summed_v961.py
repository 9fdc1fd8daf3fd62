# verdict:
# gradient = "partial 35: wrong-gradient @A hidden"
# why = "backward of the sum of each, too"
#: all
    hidden.retain_grad()
    logits.retain_grad()
    hidden.sum().backward(retain_graph=True)
    loss.backward()
    return hidden.grad, logits.grad  # @A
