# verdict:
# why = "tangents instead of adjoints, as in the course seed"
#: net
        w0, w1 = self.w
        r1 = w0 ** 2 + w1 * x1
        r2 = w0 * x2 - w1
        q = x3 / r1
        y = r1 * r2 + q
        slope = -q / r1
        q = None
        # tangents along w0
        r1_dot = 2.0 * w0
        r2_dot = x2
        dw0 = r1_dot * r2 + r1 * r2_dot + slope * r1_dot
        r1_dot = None
        # tangents along w1
        r1_dot = x1
        r2_dot = -1.0
        dw1 = r1_dot * r2 + r1 * r2_dot + slope * r1_dot
        r1 = r2 = slope = None
#: end
