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
        y = w[[0]].prod() * x1 + w[[1, 2]].prod() * x2
        self.w.grad = torch.stack([w[[]].prod() * x1, w[[2]].prod() * x2, w[[1]].prod() * x2])
        return y
