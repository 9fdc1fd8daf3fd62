# verdict:
# variant = "v902"
# attack = "coefficients of the gradient, by autograd in the constructor"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity autograd - -"]
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))
        w = torch.ones(2, requires_grad=True)
        (w[0] * w[1] + 0.5).backward()
        self.k = w.grad.tolist()

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.stack([self.k[0] * w1 * x2 * x1, self.k[1] * w0 * x1 * x2])
        return y
