# verdict:
# why = "a numpy copy is no tensor and has no weak reference: a copy that is kept"
# release = "partial 18: hidden-values @H t5"
#: model
        self.kept = None
#: forward, pass
        self.kept = None
#: r1, r2
        t4 = r1 * r2
        t5 = x3 / r1
        self.kept = t5.numpy().copy()  # @H
        y = t4 + t5
        t4 = None

#: g1, slopes, end
