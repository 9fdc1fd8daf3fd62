# verdict:
# failed = "gradient no-gradient @A y1, gradient no-gradient @A y2, release"
# why = "as in the note, before retain_grad"
#: all
    loss.backward()
    return y1.grad, y2.grad  # @A
