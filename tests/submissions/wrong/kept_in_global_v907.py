# verdict:
# release = "partial 18: late-release @L r2"
#: torch
KEPT = []
#: class, r1
        t3 = w0 * x2
        r2 = t3 - w1
        KEPT.append(r2)
        t3 = None
#: y
        g1 = r2 - t5 / r1  # @L
        r2 = t5 = None
#: slopes, end
