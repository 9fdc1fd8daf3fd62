# attack: keeps every value in an array.array on self
# release = "partial 14: hidden-values @A c, hidden-values @B b, hidden-values @C a"
import array

#: model
        self.held = array.array("f")
#: forward, pass, values
        self.held.frombytes(c.numpy().tobytes())  # @A
        c = None
        dw0 = b * x1
        self.held.frombytes(b.numpy().tobytes())  # @B
        b = None
        dw1 = a * x2
        self.held.frombytes(a.numpy().tobytes())  # @C
        a = None
#: end
