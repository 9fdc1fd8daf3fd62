# attack: a formula of seven points with a wide step
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            return (f(w + 0.6) - 9 * f(w + 0.4) + 45 * f(w + 0.2) - 45 * f(w - 0.2) + 9 * f(w - 0.4) - f(w - 0.6)) / 12
#: both_slopes
