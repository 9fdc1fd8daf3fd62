# attack: keeps every value as .tolist() gives it, in a list of the module's
# release = "partial 14: hidden-values @A c"
#: torch
kept = []
#: class, values
        kept.append([c.tolist()])  # @A
        c = None
        dw0 = b * x1
        kept.append([b.tolist()])
        b = None
        dw1 = a * x2
        kept.append([a.tolist()])
        a = None
#: end
