# verdict:
# failed = "gradient wrong-gradient @A prediction, gradient wrong-gradient @A residual"
# why = "a hook that changes the gradient"
#: all
    residual.register_hook(lambda grad: 2 * grad)
#: retain
    return prediction.grad, residual.grad  # @A
