# attack: keeps every value's bytes as text
# release = "partial 14: hidden-values @A c, hidden-values @B b, hidden-values @C a"
#: torch
kept = []
#: class, values
        kept.append(c.numpy().tobytes().hex())  # @A
        c = None
        dw0 = b * x1
        kept.append(b.numpy().tobytes().hex())  # @B
        b = None
        dw1 = a * x2
        kept.append(a.numpy().tobytes().hex())  # @C
        a = None
#: end
