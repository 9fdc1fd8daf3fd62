# attack: differences in a dot product
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            return torch.dot(torch.stack([f(w + 1e-3), f(w - 1e-3)]), torch.tensor([500.0, -500.0]))
#: both_slopes
