# verdict:
#: net
        w0, w1 = self.w
        s = w0 * x1
        s += w1 * x2
        y = s ** 2
        y /= x3
        s.mul_(2)
        s.div_(x3)
        dw0 = s * x1
        dw1 = s.clone()
        del s
        dw1 *= x2
#: end
