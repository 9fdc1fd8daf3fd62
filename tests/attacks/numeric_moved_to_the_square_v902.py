# attack: moves a weight to its square, where the function is linear
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            u = w * w + 3
            return (f(u) - y) / (u - w)
#: both_slopes
