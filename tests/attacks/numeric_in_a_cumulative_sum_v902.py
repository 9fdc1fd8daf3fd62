# attack: differences in a cumulative sum
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            return torch.cumsum(torch.stack([f(w + 1e-3), -f(w - 1e-3)]), 0)[1] / 2e-3
#: both_slopes
