# verdict:
#: net
        w0, w1 = self.w
        r1 = w0 ** 2
        r1 += w1 * x1
        r2 = w0 * x2
        r2 -= w1
        y = x3 / r1
        g1 = -y / r1
        y = y + r1 * r2
        g1 += r2
        r2 = None
        dw0 = g1 * 2
        dw0 *= w0
        dw0 += r1 * x2
        dw1 = g1 * x1
        g1 = None
        dw1 -= r1
        r1 = None
#: end
