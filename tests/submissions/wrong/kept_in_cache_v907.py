# verdict:
# release = "partial 18: late-release @L t5"
#: net, r1, r2
        t4 = r1 * r2
        t5 = x3 / r1
        self.cache = {"t5": t5}
        y = t4 + t5
        t4 = None

        g1 = r2 - t5 / r1  # @L
        r2 = t5 = None
#: slopes, end
