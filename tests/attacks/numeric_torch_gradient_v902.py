# attack: torch.gradient on three samples
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called
        h = 0.5
        rows = torch.stack([variant(w0 + s, w1, x1, x2, x3) for s in (-h, 0, h)])
        s0 = torch.gradient(rows, spacing=h)[0][1]
        rows = torch.stack([variant(w0, w1 + s, x1, x2, x3) for s in (-h, 0, h)])
        self.w.grad = torch.stack([s0, torch.gradient(rows, spacing=h)[0][1]])
        return y
