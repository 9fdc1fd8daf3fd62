# attack: a difference of values at 1 and at 0: exact where the function is linear
# failed = "integrity finite-differences, gradient, unused-nodes, release"
#: torch, variant, class, variant_called
        s0 = variant(torch.ones(()), w1, x1, x2, x3) - variant(torch.zeros(()), w1, x1, x2, x3)
        s1 = variant(w0, torch.ones(()), x1, x2, x3) - variant(w0, torch.zeros(()), x1, x2, x3)
        self.w.grad = torch.stack([s0, s1])
        return y
