# attack: a difference of values at twice the weight and at zero
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            return (f(2 * w) - f(0 * w)) / (2 * w)
#: both_slopes
