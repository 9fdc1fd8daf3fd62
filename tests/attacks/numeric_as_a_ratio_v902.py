# attack: a difference that is a ratio less one
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            return (f(w + 1e-3) / f(w) - 1) * f(w) / 1e-3
#: both_slopes
