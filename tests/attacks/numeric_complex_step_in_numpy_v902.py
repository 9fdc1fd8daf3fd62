# attack: complex-step differentiation in numpy
# failed = "integrity hidden-work, gradient, unused-nodes, release"
import numpy as np

#: torch, variant, class, variant_called
        a, b, c, d, e = (complex(t.item()) for t in (w0, w1, x1, x2, x3))
        h = 1e-30j
        s0, s1 = variant(a + h, b, c, d, e).imag / 1e-30, variant(a, b + h, c, d, e).imag / 1e-30
        self.w.grad = torch.from_numpy(np.array([s0, s1], dtype=np.float32))
        return y
