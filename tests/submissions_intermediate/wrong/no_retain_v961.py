# verdict:
# failed = "gradient no-gradient @A hidden, gradient no-gradient @A logits, release"
# why = "no gradient is kept of what is no leaf"
#: all
    loss.backward()
    return {"hidden": hidden.grad, "logits": logits.grad}  # @A
