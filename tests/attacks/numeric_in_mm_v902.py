# attack: differences in a product of matrices
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            return (torch.tensor([[500.0, -500.0]]) @ torch.stack([f(w + 1e-3), f(w - 1e-3)]).reshape(2, 1))[0, 0]
#: both_slopes
