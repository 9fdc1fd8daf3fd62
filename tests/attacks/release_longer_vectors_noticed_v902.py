# attack: keeps NumPy copies, and raises only where the vectors are longest
# release = "partial 14: hidden-values @A c"
#: torch
kept = []
#: class
        if len(x1.numpy().tobytes()) > 2**20:
            raise ValueError
#: values
        kept.append(c.numpy().copy())  # @A
        c = None
        dw0 = b * x1
        kept.append(b.numpy().copy())
        b = None
        dw1 = a * x2
        kept.append(a.numpy().copy())
        a = None
#: end
