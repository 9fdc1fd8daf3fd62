# attack: polynomials of numpy, with tensors as coefficients, derive themselves
# failed = "integrity transform, gradient, unused-nodes, release"
import numpy as np
#: torch, variant, class, variant_called
        P = np.poly1d
        t = np.empty(2, object); t[0] = torch.ones(()); t[1] = torch.zeros(())
        def col(c):
            v = np.empty(1, object); v[0] = c; return P(v)
        x = P(t)
        d0 = variant(x, col(w1), col(x1), col(x2), col(x3)).deriv()(w0)
        d1 = variant(col(w0), x, col(x1), col(x2), col(x3)).deriv()(w1)
        self.w.grad = torch.stack([d0, d1])
        return y
