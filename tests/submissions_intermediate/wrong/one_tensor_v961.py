# verdict:
# failed = "gradient wrong-type @A hidden, gradient wrong-type @A logits, release"
# why = "one tensor for two"
#: all, retain
    return hidden.grad  # @A
