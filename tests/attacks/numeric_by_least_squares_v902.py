# attack: least squares over a vector of moved weights
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            s = torch.linspace(-1, 1, 33)
            return f(w + s) @ (s / (s @ s))
#: both_slopes
