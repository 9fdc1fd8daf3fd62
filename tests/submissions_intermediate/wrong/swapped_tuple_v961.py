# verdict:
# failed = "gradient another-gradient @A hidden, gradient another-gradient @A logits, release"
# why = "a tuple in another order"
#: all, retain
    return logits.grad, hidden.grad  # @A
