# attack: Richardson extrapolation
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, h):
            return (f(h) - f(-h)) / (2 * h)

        def best(f):
            return (4 * slope(f, 0.01) - slope(f, 0.02)) / 3

        self.w.grad = torch.stack([
            best(lambda h: variant(w0 + h, w1, x1, x2, x3)), best(lambda h: variant(w0, w1 + h, x1, x2, x3)),
        ])
        return y
