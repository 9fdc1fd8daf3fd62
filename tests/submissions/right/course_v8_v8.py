# verdict:
#: model

    def forward(self, X):
        x1, x2, x3 = X
        w0, w1 = self.w
        r1 = x3 * (w0 ** 2 + w1 ** 2)
        r2 = (x3 + w0 / w1) * (3 * w0 + x3 * w1)
        r3 = x3 - (w1 - x2) ** 2 / w0
        return r1 + r2 + r3 / (x1 - x2 - r1)

    def your_forward_backward(self, x1, x2, x3):
        w0 = self.w[0]
        w1 = self.w[1]
        sum_sq = w0 ** 2 + w1 ** 2
        r1 = sum_sq * x3
        del sum_sq
        left = x3 + w0 / w1
        right = 3.0 * w0 + x3 * w1
        r2 = left * right
        diff = w1 - x2
        part = diff ** 2 / w0
        r3 = x3 - part
        below = x1 - x2 - r1
        frac = r3 / below
        del r3
        y = r1 + r2 + frac
        del r1, r2

        d_below = -frac / below
        del frac
        d_r3 = 1.0 / below
        del below
        d_r1 = 1.0 - d_below
        del d_below
        dw0 = d_r1 * x3 * 2.0 * w0 + right / w1 + 3.0 * left + d_r3 * part / w0
        del part
        dw1 = d_r1 * x3 * 2.0 * w1 - right * w0 / w1 ** 2 + x3 * left - d_r3 * 2.0 * diff / w0
        del d_r1, right, left, d_r3, diff
#: end
