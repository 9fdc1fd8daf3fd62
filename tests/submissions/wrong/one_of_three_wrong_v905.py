# verdict:
# gradient = "partial 26.666667: wrong-gradient @B w1"
#: net
        w0, w1, w2 = self.w
        y = w0 * x1 + w1 * w2 * x2
        dw1 = w1 * x2  # @B
        self.w.grad = torch.stack([x1, dw1, w1 * x2])
        return y
