# attack: a formula of seven points with a wide step
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class
        w0, w1 = self.w
        y = variant(w0, w1, x1, x2, x3)

        def slope(f, w):
            return (f(w + 0.6) - 9 * f(w + 0.4) + 45 * f(w + 0.2) - 45 * f(w - 0.2) + 9 * f(w - 0.4) - f(w - 0.6)) / 12
#: both_slopes
