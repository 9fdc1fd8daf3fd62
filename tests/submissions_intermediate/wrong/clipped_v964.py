# verdict:
# failed = "gradient wrong-gradient @A scores, gradient wrong-gradient @A weights, gradient wrong-gradient @A mixed"
# why = "clipped gradients"
#: all, retain
    return [tensor.grad.clamp(-0.01, 0.01) for tensor in (scores, weights, mixed)]  # @A
