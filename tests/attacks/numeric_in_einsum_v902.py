# attack: differences in einsum
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            return torch.einsum('i,i->', f(w + torch.tensor([-1e-3, 1e-3])), torch.tensor([-500.0, 500.0]))
#: both_slopes
