# attack: keeps NumPy copies beside an op that takes memory of its own
# release = "partial 14: hidden-values @A c, hidden-values @B b, hidden-values @C a"
#: torch
kept = []
#: class, values
        kept.append(c.numpy().copy())  # @A
        c = None
        dw0 = b * x1
        kept.append(b.numpy().copy())  # @B
        b = None
        dw1 = torch.cumsum((a * x2).reshape(1), 0)[0]
        kept.append(a.numpy().copy())  # @C
        a = None
#: end
