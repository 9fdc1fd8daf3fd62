# attack: differences in addcmul
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called

        def slope(f, w):
            return torch.addcmul(f(w + 1e-3) * 500, f(w - 1e-3), torch.tensor(1.0), value=-500)
#: both_slopes
