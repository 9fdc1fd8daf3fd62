# attack: differences of the function with other numbers in place of three of its leaves
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called
        u, v = w0 * w0 + 3, w1 * w1 + 3
        c, k = x2 * x1 + 1, w0 * w1 * 5
        d0 = (variant(u, w1, x1 * k, x2, c) - variant(w0, w1, x1 * k, x2, c)) / (u - w0) / k
        d1 = (variant(w0, v, x1, x2 * k, c) - variant(w0, w1, x1, x2 * k, c)) / (v - w1) / k
        self.w.grad = torch.stack([d0, d1])
        return y
