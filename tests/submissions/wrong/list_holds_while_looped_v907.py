# verdict:
# why = "the first part is done with when the second round runs"
# release = "partial 18: late-release @L parts[0]"
#: net
        w0, w1 = self.w
        parts = [w0 ** 2, w1 * x1]
        r1 = torch.zeros(())
        for part in parts:
            r1 = r1 + part  # @L
        del parts, part
        r2 = w0 * x2 - w1
        t5 = x3 / r1
        y = r1 * r2 + t5
        g1 = r2 - t5 / r1
        del r2, t5
        dw0 = g1 * 2 * w0 + r1 * x2
        dw1 = g1 * x1 - r1
        del g1, r1
#: end
