# verdict:
# gradient = "partial 35: no-gradient @A hidden"
# why = "retain_grad after backward"
#: all
    logits.retain_grad()
    loss.backward()
    hidden.retain_grad()
    return {"hidden": hidden.grad,  # @A
            "logits": logits.grad}
