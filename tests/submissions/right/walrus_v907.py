# verdict:
#: net
        w0, w1 = self.w
        y = (r1 := w0 ** 2 + w1 * x1) * (r2 := w0 * x2 - w1) + (t5 := x3 / r1)
        dw0 = (g1 := r2 - t5 / r1) * 2 * w0 + r1 * x2
        r2 = t5 = None
        dw1 = g1 * x1 - r1
        g1 = r1 = None
#: end
