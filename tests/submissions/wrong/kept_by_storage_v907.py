# verdict:
# why = "a storage is no tensor and is alive all the same"
# release = "partial 18: late-release @L t5"
#: model
        self.kept = None
#: forward, pass
        self.kept = None
#: r1, r2
        t4 = r1 * r2
        t5 = x3 / r1
        self.kept = t5.untyped_storage()
        y = t4 + t5
        t4 = None

        g1 = r2 - t5 / r1  # @L
        r2 = t5 = None
#: slopes, end
