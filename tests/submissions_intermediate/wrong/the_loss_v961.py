# verdict:
# failed = "gradient wrong-type @A hidden, gradient wrong-type @A logits, release"
# why = "the loss alone"
#: all, retain
    return loss  # @A
