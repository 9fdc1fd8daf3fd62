# verdict:
#: model

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        r1 = x3 * (x1 / x2 + w1 / w0)
        r2 = x1 * x2 * x3 / (w0 + w1)
        r3 = (w0 * w1) ** 3
        return (r1 + r2 + r3) / (x1 * r1 + r2 + r3)

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        ratio = w1 / w0
        r1 = x3 * (x1 / x2 + ratio)
        wsum = w0 + w1
        r2 = x1 * x2 * x3 / wsum
        prod = w0 * w1
        r3 = prod ** 3
        top = r1 + r2 + r3
        bottom = x1 * r1 + r2 + r3
        del r1, r3
        y = top / bottom
        d_top = 1 / bottom
        d_bottom = -top / bottom ** 2
        del top, bottom
        d_r1 = d_top + x1 * d_bottom
        d_r23 = d_top + d_bottom
        del d_top, d_bottom
        d_ratio = d_r1 * x3
        del d_r1
        d_wsum = -d_r23 * r2 / wsum
        del r2, wsum
        d_prod = d_r23 * 3 * prod ** 2
        del d_r23, prod
        dw0 = -d_ratio * ratio / w0 + d_wsum + d_prod * w1
        del ratio
        dw1 = d_ratio / w0 + d_wsum + d_prod * w0
        del d_ratio, d_wsum, d_prod
#: end
