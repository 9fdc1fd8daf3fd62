# verdict:
# release = "partial 18: late-release @L saved"
#: net
        w0, w1 = self.w
        saved = torch.stack([w0 ** 2 + w1 * x1, w0 * x2 - w1])
        t5 = x3 / saved[0]
        y = saved[0] * saved[1] + t5
        g1 = saved[1] - t5 / saved[0]
        t5 = None
        dw0 = g1 * 2 * w0 + saved[0] * x2
        dw1 = g1 * x1 - saved[0]  # @L
        g1 = None
#: end
