# attack: keeps every value as .tolist() gives it, in a list of the module's
# release = "partial 14: hidden-values @A c, hidden-values @B b, hidden-values @C a"
#: torch
kept = []
#: class, values
        kept.append([c.tolist()])  # @A
        c = None
        dw0 = b * x1
        kept.append([b.tolist()])  # @B
        b = None
        dw1 = a * x2
        kept.append([a.tolist()])  # @C
        a = None
#: end
