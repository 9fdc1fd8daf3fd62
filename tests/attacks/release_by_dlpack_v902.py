# attack: keeps copies of what NumPy reads by DLPack
# release = "partial 14: hidden-values @A c"
import numpy as np
#: torch
kept = []
#: class, values
        kept.append(np.from_dlpack(c).copy())  # @A
        c = None
        dw0 = b * x1
        kept.append(np.from_dlpack(b).copy())
        b = None
        dw1 = a * x2
        kept.append(np.from_dlpack(a).copy())
        a = None
#: end
