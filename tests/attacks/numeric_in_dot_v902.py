# attack: differences in a dot product
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class
        w0, w1 = self.w
        y = variant(w0, w1, x1, x2, x3)

        def slope(f, w):
            return torch.dot(torch.stack([f(w + 1e-3), f(w - 1e-3)]), torch.tensor([500.0, -500.0]))
#: both_slopes
