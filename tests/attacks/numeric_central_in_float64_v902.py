# attack: central differences in float64
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called
        a, b, h = w0.double(), w1.double(), 1e-6
        s0 = (variant(a + h, b, x1, x2, x3) - variant(a - h, b, x1, x2, x3)) / (2 * h)
        s1 = (variant(a, b + h, x1, x2, x3) - variant(a, b - h, x1, x2, x3)) / (2 * h)
        self.w.grad = torch.stack([s0, s1]).float()
        return y
