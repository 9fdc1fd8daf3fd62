# attack: moves the input by which a weight is multiplied
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called
        d0 = (variant(w0, w1, x1 * x1 + 3, x2, x3) - y) / (x1 * x1 + 3 - x1) * x1 / w0
        d1 = (variant(w0, w1, x1, x2 * x2 + 3, x3) - y) / (x2 * x2 + 3 - x2) * x2 / w1
        self.w.grad = torch.stack([d0, d1])
        return y
