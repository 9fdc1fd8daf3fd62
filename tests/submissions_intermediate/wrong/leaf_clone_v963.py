# verdict:
# gradient = "partial 35: wrong-shape @A prediction"
# why = "a copy of the gradient of the leaf"
#: all
    residual.retain_grad()
    loss.backward()
    return {"prediction": w.grad.clone(), "residual": residual.grad}  # @A
