# attack: differences in lerp, which goes beyond the second value
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            return torch.lerp(f(w), f(w + 1e-3), 1000.0) - f(w)
#: both_slopes
