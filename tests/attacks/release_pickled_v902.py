# attack: keeps every value as pickle writes it
# release = "partial 14: hidden-values @A c, hidden-values @B b, hidden-values @C a"
import pickle

#: torch
kept = []
#: class, values
        kept.append(pickle.dumps(c))  # @A
        c = None
        dw0 = b * x1
        kept.append(pickle.dumps(b))  # @B
        b = None
        dw1 = a * x2
        kept.append(pickle.dumps(a))  # @C
        a = None
#: end
