# attack: differences of a vector of moved weights
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            v = f(w + torch.tensor([-1e-3, 1e-3]))
            return (v[1] - v[0]) / 2e-3
#: both_slopes
