# attack: differences between points that are themselves values of the function
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            u = f(w * w + 2)
            v = f(u)
            return (f(v) - f(u)) / (v - u)
#: both_slopes
