# attack: complex-step differentiation, with products made by scatter_reduce
# failed = "integrity complex, gradient, unused-nodes, release"
#: torch, class, value
        one = torch.ones((), dtype=torch.int64)[None] - 1
        p = torch.complex(w0, torch.ones(()))[None].scatter_reduce(0, one, torch.complex(w1, 0 * w1)[None], "prod")
        dw0 = p[0].imag * x1 * x2
        p = torch.complex(w1, torch.ones(()))[None].scatter(0, one, torch.complex(w0, 0 * w0)[None], reduce="multiply")
        dw1 = p[0].imag * x1 * x2
        self.w.grad = torch.stack([dw0, dw1])
        return y
