# verdict:
# gradient = "partial 35: leaf-gradient @A hidden"
# why = "the gradient of the leaf"
#: all
    logits.retain_grad()
    loss.backward()
    return {"hidden": w.grad, "logits": logits.grad}  # @A
