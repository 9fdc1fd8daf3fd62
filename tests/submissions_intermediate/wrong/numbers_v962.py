# verdict:
# failed = "gradient no-gradient @A y1, gradient no-gradient @A y2, release"
# why = "numbers for tensors"
#: all, retain
    return {"y1": y1.grad.item(), "y2": y2.grad.item()}  # @A
