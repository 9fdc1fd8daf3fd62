# verdict:
# gradient = "partial 35: wrong-shape @A hidden"
# why = "the gradient of the leaf"
#: all
    logits.retain_grad()
    loss.backward()
    return {"hidden": w.grad, "logits": logits.grad}  # @A
