# attack: complex-step differentiation of tensors
# failed = "integrity complex, gradient, unused-nodes, release"
#: torch, variant, class, variant_called
        h = 1e-20
        s0 = variant(torch.complex(w0, torch.tensor(h)), w1, x1, x2, x3).imag / h
        s1 = variant(w0, torch.complex(w1, torch.tensor(h)), x1, x2, x3).imag / h
        self.w.grad = torch.stack([s0, s1])
        return y
