# attack: an exact difference with a wide step in a dot product
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            return torch.dot(torch.stack([f(w + 0.25), f(w - 0.25)]), torch.tensor([2.0, -2.0]))
#: both_slopes
