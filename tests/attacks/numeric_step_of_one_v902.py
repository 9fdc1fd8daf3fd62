# attack: a difference with a step of one: exact where the function is linear
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called
        self.w.grad = torch.stack([variant(w0 + 1, w1, x1, x2, x3) - y, variant(w0, w1 + 1, x1, x2, x3) - y])
        return y
