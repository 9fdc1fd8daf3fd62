# attack: a step of 1e-10 in float64
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            d = w.double()
            return ((f(d + 1e-10) - f(d)) / 1e-10).float()
#: both_slopes
