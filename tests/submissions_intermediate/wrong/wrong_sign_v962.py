# verdict:
# failed = "gradient wrong-gradient @A y1, gradient wrong-gradient @A y2"
# why = "the sign of a term"
#: start, forward
    loss = (y1 + y2) ** 2
#: retain
    return y1.grad, y2.grad  # @A
