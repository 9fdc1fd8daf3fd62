# verdict:
# failed = "gradient another-gradient @A y1, gradient another-gradient @A y2"
# why = "the names are swapped"
#: all, retain
    return {"y1": y2.grad, "y2": y1.grad}  # @A
