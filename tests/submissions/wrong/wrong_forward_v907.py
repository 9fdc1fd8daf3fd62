# verdict:
# failed = "forward wrong-value @F"
#: model

    def forward(self, x1, x2, x3):  # @F
        w0, w1 = self.w
        r1 = w0 * 2 + w1 * x1
        r2 = w0 * x2 - w1
        return r1 * r2 + x3 / r1
#: pass, honest
