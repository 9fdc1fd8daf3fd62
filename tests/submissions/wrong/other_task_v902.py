# verdict:
# why = "all of it is right, for v907"
# failed = "forward other-task @F v907, manual-forward other-task @P v907, gradient other-task @P v907"
#: model

    def forward(self, x1, x2, x3):  # @F
        w0, w1 = self.w
        r1 = w0 ** 2 + w1 * x1
        r2 = w0 * x2 - w1
        return r1 * r2 + x3 / r1

    def my_forward_backward(self, x1, x2, x3):  # @P
        w0, w1 = self.w
        t1 = w0 ** 2
        t2 = w1 * x1
        r1 = t1 + t2
        t1 = t2 = None
        t3 = w0 * x2
        r2 = t3 - w1
        t3 = None
        t4 = r1 * r2
        t5 = x3 / r1
        y = t4 + t5
        t4 = None

        g1 = r2 - t5 / r1
        r2 = t5 = None
        dw0 = g1 * 2 * w0 + r1 * x2
        dw1 = g1 * x1 - r1
        g1 = r1 = None
#: end
