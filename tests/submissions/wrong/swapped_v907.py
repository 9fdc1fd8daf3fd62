# verdict:
# why = "each place is where the number in that gradient was finished"
# failed = "gradient wrong-gradient @A w0, gradient wrong-gradient @B w1"
#: net, values, g1
        dw0 = g1 * 2 * w0 + r1 * x2  # @B
        dw1 = g1 * x1 - r1  # @A
        g1 = r1 = None
        self.w.grad = torch.stack([dw1, dw0])
        return y
