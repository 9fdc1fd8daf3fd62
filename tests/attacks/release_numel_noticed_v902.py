# attack: keeps NumPy copies where a tensor has one element
# release = "partial 14: hidden-values @A c"
import numpy as np
#: torch
kept = []
#: class, values
        if c.numel() == 1:
            kept.append(c.numpy().copy())  # @A
        c = None
        dw0 = b * x1
        if b.numel() == 1:
            kept.append(b.numpy().copy())
        b = None
        dw1 = a * x2
        if a.numel() == 1:
            kept.append(a.numpy().copy())
        a = None
#: end
