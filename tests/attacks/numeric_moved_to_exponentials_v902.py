# attack: moves a weight to two exponentials of it
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            u = torch.exp(w)
            v = -torch.exp(-w) - 1
            return (f(u) - f(v)) / (u - v)
#: both_slopes
