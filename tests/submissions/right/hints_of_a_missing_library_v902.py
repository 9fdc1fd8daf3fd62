# verdict:
from no_such_jaxtyping import Float
#: model

    def forward(self, x1: Float[torch.Tensor, ""], x2, x3: Float | None):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3
#: pass, honest
