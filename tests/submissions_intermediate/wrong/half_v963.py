# verdict:
# failed = "gradient wrong-gradient @A prediction, gradient wrong-gradient @A residual"
# why = "converted to float16"
#: all, retain
    return [grad.grad.half() for grad in (prediction, residual)]  # @A
