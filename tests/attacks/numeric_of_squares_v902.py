# attack: differences of squares, divided by the sum
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class
        w0, w1 = self.w
        y = variant(w0, w1, x1, x2, x3)

        def slope(f, w):
            p, m = f(w + 1e-3), f(w - 1e-3)
            return (p ** 2 - m ** 2) / (2e-3 * (p + m))
#: both_slopes
