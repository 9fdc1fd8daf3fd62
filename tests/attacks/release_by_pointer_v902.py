# attack: keeps what lies where every value's pointer points to
# release = "partial 14: hidden-values @A c, hidden-values @B b, hidden-values @C a"
import ctypes

#: torch
kept = []
#: class, values
        kept.append(ctypes.string_at(c.data_ptr(), c.numpy().nbytes))  # @A
        c = None
        dw0 = b * x1
        kept.append(ctypes.string_at(b.data_ptr(), b.numpy().nbytes))  # @B
        b = None
        dw1 = a * x2
        kept.append(ctypes.string_at(a.data_ptr(), a.numpy().nbytes))  # @C
        a = None
#: end
