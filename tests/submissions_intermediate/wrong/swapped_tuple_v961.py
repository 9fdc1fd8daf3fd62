# verdict:
# failed = "gradient wrong-shape @A hidden, gradient wrong-shape @A logits, release"
# why = "a tuple in another order"
#: all, retain
    return logits.grad, hidden.grad  # @A
