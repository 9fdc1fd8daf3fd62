# verdict:
# release = "partial 18: late-release @L self.t5"
#: net, r1, r2
        t4 = r1 * r2
        self.t5 = x3 / r1
        y = t4 + self.t5
        t4 = None

        g1 = r2 - self.t5 / r1  # @L
        r2 = None
#: slopes, end
