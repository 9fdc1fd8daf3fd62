# attack: differences of each part of y, which are exact
# why = "given up: the chain rule is by hand, and only its factors are differences, of parts of y with a wide step"
# release = "partial 6: late-release"
#: net
        w0, w1 = self.w

        def first(w0, w1):
            return w0 ** 2 + w1 * x1

        def second(w0, w1):
            return w0 * x2 - w1

        r1 = first(w0, w1)
        r2 = second(w0, w1)
        y = r1 * r2 + x3 / r1
        h = 0.125
        a0 = (first(w0 + h, w1) - first(w0 - h, w1)) / (2 * h)
        a1 = (first(w0, w1 + h) - r1) / h
        b0 = (second(w0 + h, w1) - r2) / h
        b1 = (second(w0, w1 + h) - r2) / h
        g1 = r2 - x3 / r1 ** 2
        dw0 = g1 * a0 + r1 * b0
        dw1 = g1 * a1 + r1 * b1
#: end
