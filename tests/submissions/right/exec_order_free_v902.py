# verdict:
# why = "forward and backward may interleave"
#: net
        w0, w1 = self.w
        b = w1 * x2
        dw0 = b * x1
        a = w0 * x1
        y = b * a
        b = None
        dw1 = x2 * a
        a = None
        y = y + x3
#: end
