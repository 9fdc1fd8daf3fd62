# attack: keeps every value's bytes in a bytearray that is a default argument
# release = "partial 14: hidden-values @A c, hidden-values @B b, hidden-values @C a"
#: model, forward

    def my_forward_backward(self, x1, x2, x3, held=bytearray()):
#: values
        held += c.numpy().tobytes()  # @A
        c = None
        dw0 = b * x1
        held += b.numpy().tobytes()  # @B
        b = None
        dw1 = a * x2
        held += a.numpy().tobytes()  # @C
        a = None
#: end
