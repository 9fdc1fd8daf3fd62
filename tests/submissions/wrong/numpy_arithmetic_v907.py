# verdict:
# failed = "integrity hidden-work @I, manual-forward hidden-work @I, gradient, unused-nodes, release"
import numpy as np
#: net
        w0, w1 = self.w.detach().numpy()  # @I
        x1, x2, x3 = x1.numpy(), x2.numpy(), x3.numpy()
        r1 = w0 ** 2 + w1 * x1
        r2 = w0 * x2 - w1
        y = r1 * r2 + x3 / r1
        g1 = r2 - x3 / r1 ** 2
        self.w.grad = torch.tensor(np.array([g1 * 2 * w0 + r1 * x2, g1 * x1 - r1], dtype=np.float32))
        return torch.tensor(y)
