# attack: differences in the sum of a stack
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            return (torch.stack([f(w + 1e-3), -f(w - 1e-3)]) * 500).sum()
#: both_slopes
