# attack: differences over nine whole steps in one vector
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            s = torch.tensor([-4., -3, -2, -1, 0, 1, 2, 3, 4])
            return (f(w + s) * s).sum() / 60
#: both_slopes
