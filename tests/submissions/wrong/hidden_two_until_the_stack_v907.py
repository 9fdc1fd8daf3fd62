# verdict:
# why = "two numpy copies that are dropped before the end, and later than the next op"
# release = "partial 16: hidden-values @H t1, hidden-values @H t2"
#: model
        self.kept = None
#: forward, pass
        self.kept = None
        w0, w1 = self.w
        t1 = w0 ** 2
        t2 = w1 * x1
        r1 = t1 + t2
        kept = [t1.numpy().copy(), t2.numpy().copy()]  # @H
        t1 = t2 = None
#: r2, y, g1, slopes
        kept = None
#: end
