# verdict:
# why = "the stack is an op, too"
# release = "partial 16: late-release @L g1, late-release @L r1"
#: net, values, g1
        dw0 = g1 * 2 * w0 + r1 * x2
        dw1 = g1 * x1 - r1  # @L
        self.w.grad = torch.stack([dw0, dw1])
        g1 = r1 = None
        return y
