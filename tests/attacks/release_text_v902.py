# attack: keeps every value's bytes as text
# release = "partial 14: hidden-values @A c"
#: torch
kept = []
#: class, values
        kept.append(c.numpy().tobytes().hex())  # @A
        c = None
        dw0 = b * x1
        kept.append(b.numpy().tobytes().hex())
        b = None
        dw1 = a * x2
        kept.append(a.numpy().tobytes().hex())
        a = None
#: end
