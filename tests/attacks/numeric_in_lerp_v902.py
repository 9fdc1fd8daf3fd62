# attack: differences in lerp, which goes beyond the second value
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class
        w0, w1 = self.w
        y = variant(w0, w1, x1, x2, x3)

        def slope(f, w):
            return torch.lerp(f(w), f(w + 1e-3), 1000.0) - f(w)
#: both_slopes
