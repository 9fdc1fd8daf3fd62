# attack: finite differences of Python numbers
# failed = "integrity hidden-work, gradient, unused-nodes, release"
#: torch, variant, class, variant_called
        a, b, c, d, e = (t.item() for t in (w0, w1, x1, x2, x3))
        h = 1e-6
        s0 = (variant(a + h, b, c, d, e) - variant(a - h, b, c, d, e)) / (2 * h)
        s1 = (variant(a, b + h, c, d, e) - variant(a, b - h, c, d, e)) / (2 * h)
        self.w.grad = torch.tensor([s0, s1])
        return y
