# verdict:
# why = "a helper cannot drop what its caller holds"
#: model

    def _square(self, value):
        return value ** 2

    @staticmethod
    def _mul(left, right):
        product = left * right
        return product

    @staticmethod
    def _mul_backward(g, left, right):
        g_left = g * right
        g_right = g * left
        return g_left, g_right
#: forward, pass
        w0, w1 = self.w
        t1 = self._square(w0)
        t2 = self._mul(w1, x1)
        r1 = t1 + t2
        del t1, t2
        t3 = self._mul(w0, x2)
        r2 = t3 - w1
        del t3
        t4 = self._mul(r1, r2)
        t5 = x3 / r1
        y = t4 + t5
        del t4
        d_r1, d_r2 = self._mul_backward(1.0, r1, r2)
        del r2
        g1 = d_r1 - t5 / r1
        del t5, r1, d_r1
        dw0 = g1 * 2 * w0 + d_r2 * x2
        dw1 = g1 * x1 - d_r2
        del g1, d_r2
#: end
