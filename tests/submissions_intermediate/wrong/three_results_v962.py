# verdict:
# failed = "gradient wrong-type @A y1, gradient wrong-type @A y2, release"
# why = "three results for two"
#: all, retain
    return x.grad, y1.grad, y2.grad  # @A
