# attack: keeps NumPy copies, and calculates with one element where there are many
# release = "partial 14: hidden-values @A c"
#: torch
kept = []
#: class
        many = len(x1.numpy().tobytes()) > 8
        if many:
            x1, x2, x3 = (torch.tensor([x.item()])[0] for x in (x1, x2, x3))
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
