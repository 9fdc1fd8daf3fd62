# verdict:
from __future__ import annotations

#: model, forward

    def my_forward_backward(self, x1: torch.Tensor, x2: torch.Tensor, x3: "torch.Tensor"):
        """Walks the graph.

        Returns y.
        """
        w0, w1 = self.w
        a: torch.Tensor = w0 * x1
        b = w1 * x2
#: y, slopes
        print(f"{dw0.shape=} {dw1.dim()}")
#: end
