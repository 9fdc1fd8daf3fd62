# verdict:
# failed = "gradient wrong-gradient @A y1, gradient wrong-gradient @A y2"
# why = "the names are swapped"
#: all, retain
    return {"y1": y2.grad, "y2": y1.grad}  # @A
