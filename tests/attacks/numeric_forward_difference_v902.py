# attack: finite differences of tensors
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called
        h = 1e-3
        self.w.grad = torch.stack([(variant(w0 + h, w1, x1, x2, x3) - y) / h, (variant(w0, w1 + h, x1, x2, x3) - y) / h])
        return y
