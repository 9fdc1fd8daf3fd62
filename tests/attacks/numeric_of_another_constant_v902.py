# attack: differences of the function with another constant
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called
        u, v = w0 * w0 + 3, w1 * w1 + 3
        d0 = (variant(u, w1, x1, x2, x1) - variant(w0, w1, x1, x2, x1)) / (u - w0)
        d1 = (variant(w0, v, x1, x2, x1) - variant(w0, w1, x1, x2, x1)) / (v - w1)
        self.w.grad = torch.stack([d0, d1])
        return y
