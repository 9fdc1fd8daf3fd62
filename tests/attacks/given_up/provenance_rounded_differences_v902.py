# attack: central differences, rounded until the noise of their steps is gone
# why = "given up: a rounding has no derivative that tells how an error grows; an honest twin: right/double_then_single_v902"
# release = "partial 8: late-release"
#: net
        w0, w1 = self.w.double()
        y = w0 * x1 * (w1 * x2) + x3
        h = 1e-3
        d0 = ((w0 + h) * x1 * (w1 * x2) - (w0 - h) * x1 * (w1 * x2)) / (2 * h)
        d1 = (w0 * x1 * ((w1 + h) * x2) - w0 * x1 * ((w1 - h) * x2)) / (2 * h)
        both = torch.stack([d0, d1])
        _, exponent = torch.frexp(both)
        scale = 2.0 ** (16 - exponent)
        self.w.grad = (torch.round(both * scale) / scale).float()
        return y.float()
