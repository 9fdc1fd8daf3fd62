# verdict:
# release = "partial 4: late-release @R t1, late-release @R t2, late-release @S t3, late-release @Y t4, late-release @G r2, late-release @G t5, late-release @B g1, late-release @B r1"
#: net
        w0, w1 = self.w
        t1 = w0 ** 2
        t2 = w1 * x1
        r1 = t1 + t2  # @R
        t3 = w0 * x2
        r2 = t3 - w1  # @S
        t4 = r1 * r2
        t5 = x3 / r1
        y = t4 + t5  # @Y

        g1 = r2 - t5 / r1  # @G
        dw0 = g1 * 2 * w0 + r1 * x2
        dw1 = g1 * x1 - r1  # @B
#: end
