# attack: keeps copies of what NumPy reads by DLPack
# release = "partial 14: hidden-values @A c, hidden-values @B b, hidden-values @C a"
import numpy as np
#: torch
kept = []
#: class, values
        kept.append(np.from_dlpack(c).copy())  # @A
        c = None
        dw0 = b * x1
        kept.append(np.from_dlpack(b).copy())  # @B
        b = None
        dw1 = a * x2
        kept.append(np.from_dlpack(a).copy())  # @C
        a = None
#: end
