# attack: differences of squares, divided by the sum
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            p, m = f(w + 1e-3), f(w - 1e-3)
            return (p ** 2 - m ** 2) / (2e-3 * (p + m))
#: both_slopes
