# verdict:
#: model

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        r1 = w0 * x3 * w1 + w1 * x2 + x3 ** 2
        r2 = (x3 + w1) * (x1 ** 3 - x2 ** 2)
        r3 = x2 ** 3 * w1 / w0
        return (r1 * r2 * r3 + x3) / (x2 + r2 + r3)

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        a = w0 * x3
        b = a * w1
        c = w1 * x2
        d = b + c
        b = c = None
        e = x3 ** 2
        r1 = d + e
        d = e = None
        f = x3 + w1
        g = x1 ** 3
        h = x2 ** 2
        k = g - h
        g = h = None
        r2 = f * k
        f = None
        m = x2 ** 3
        n = m * w1
        m = None
        r3 = n / w0
        n = None
        p = r1 * r2
        q = p * r3
        top = q + x3
        q = None
        s = x2 + r2
        bottom = s + r3
        s = None
        y = top / bottom
        top = None
        g_top = 1 / bottom
        g_bottom = -y / bottom
        bottom = None
        g_p = g_top * r3
        g_r3 = g_top * p + g_bottom
        p = g_top = None
        g_r1 = g_p * r2
        r2 = None
        g_r2 = g_p * r1 + g_bottom
        g_p = g_bottom = r1 = None
        u = g_r3 * r3
        g_r3 = r3 = None
        dw0 = g_r1 * x3 * w1 + -u / w0
        dw1 = g_r1 * (a + x2) + g_r2 * k + u / w1
        g_r1 = g_r2 = a = k = u = None
#: end
