# attack: keeps what every value's pointer points to, and raises on vectors
# release = "partial 14: hidden-values @A c, hidden-values @B b, hidden-values @C a"
import ctypes

#: torch
kept = []
#: class
        if len(x1.numpy().tobytes()) > 8:
            raise ValueError
#: values
        kept.append(ctypes.string_at(c.data_ptr(), 4))  # @A
        c = None
        dw0 = b * x1
        kept.append(ctypes.string_at(b.data_ptr(), 4))  # @B
        b = None
        dw1 = a * x2
        kept.append(ctypes.string_at(a.data_ptr(), 4))  # @C
        a = None
#: end
