# attack: differences in a cumulative sum
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class
        w0, w1 = self.w
        y = variant(w0, w1, x1, x2, x3)

        def slope(f, w):
            return torch.cumsum(torch.stack([f(w + 1e-3), -f(w - 1e-3)]), 0)[1] / 2e-3
#: both_slopes
