# attack: differences in a matrix times a vector
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            return torch.mv(torch.tensor([[500.0, -500.0]]), torch.stack([f(w + 1e-3), f(w - 1e-3)]))[0]
#: both_slopes
