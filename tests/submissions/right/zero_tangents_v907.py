# verdict:
# why = "terms that are always zero cost nothing"
#: net
        w0, w1 = self.w
        r1 = w0 ** 2 + w1 * x1
        r2 = w0 * x2 - w1
        q = x3 / r1
        y = r1 * r2 + q
        slope = -q / r1
        del q
        zero = torch.zeros_like(w0)
        one = torch.ones_like(w0)
        t1_dot = 2.0 * w0 * one
        t2_dot = x1 * zero
        r1_dot = t1_dot + t2_dot
        del t1_dot, t2_dot
        r2_dot = x2 * one - zero
        dw0 = r1_dot * r2 + r1 * r2_dot + slope * r1_dot
        del r1_dot, r2_dot
        t1_dot = 2.0 * w0 * zero
        t2_dot = x1 * one
        r1_dot = t1_dot + t2_dot
        del t1_dot, t2_dot
        r2_dot = x2 * zero - one
        del zero, one
        dw1 = r1_dot * r2 + r1 * r2_dot + slope * r1_dot
        del r1_dot, r2_dot, r1, r2, slope
#: end
