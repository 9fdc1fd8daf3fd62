# verdict:
# variant = "v905"
# why = "the gradient of w0 is an input, as it is"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25, 0.75]))

    def forward(self, x1, x2):
        w0, w1, w2 = self.w
        return w0 * x1 + w1 * w2 * x2

    def my_forward_backward(self, x1, x2):
        w0, w1, w2 = self.w
        y = w0 * x1 + w1 * w2 * x2
        self.w.grad = torch.stack([x1, w2 * x2, w1 * x2])
        return y
