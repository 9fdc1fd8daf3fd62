# verdict:
# failed = "gradient wrong-gradient @A prediction, gradient wrong-gradient @A residual"
# why = "the sum of squares, not the mean"
#: start, forward
    loss = (residual ** 2).sum()
#: retain
    return prediction.grad, residual.grad  # @A
