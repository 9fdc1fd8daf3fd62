# attack: keeps NumPy copies where a tensor has no dimensions
# release = "partial 14: hidden-values @A c"
#: torch
kept = []
#: class, values
        if c.shape == () and c.dim() == c.ndim == 0:
            kept.append(c.numpy().copy())  # @A
        c = None
        dw0 = b * x1
        if b.shape == () and b.dim() == b.ndim == 0:
            kept.append(b.numpy().copy())
        b = None
        dw1 = a * x2
        if a.shape == () and a.dim() == a.ndim == 0:
            kept.append(a.numpy().copy())
        a = None
#: end
