# attack: keeps NumPy copies, and ends the process where it is measured
# release = "partial 14: hidden-values @A c, hidden-values @B b, hidden-values @C a"
import os

#: torch
kept = []
#: class
        if len(x1.numpy().tobytes()) > 8:
            os._exit(0)
#: values
        kept.append(c.numpy().copy())  # @A
        c = None
        dw0 = b * x1
        kept.append(b.numpy().copy())  # @B
        b = None
        dw1 = a * x2
        kept.append(a.numpy().copy())  # @C
        a = None
#: end
