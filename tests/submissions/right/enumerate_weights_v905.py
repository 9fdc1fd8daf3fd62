# verdict:
# variant = "v905"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25, 0.75]))

    def forward(self, x1, x2):
        w0, w1, w2 = self.w
        return w0 * x1 + w1 * w2 * x2

    @torch.no_grad()
    def my_forward_backward(self, x1, x2):
        w = self.w
        factors = [(0,), (1, 2)]
        y = sum(w[list(f)].prod() * x for f, x in zip(factors, (x1, x2)))
        grad = torch.zeros(3)
        for f, x in zip(factors, (x1, x2)):
            for i in f:
                others = [j for j in f if j != i]
                grad[i] = w[others].prod() * x
        self.w.grad = grad
        return y
