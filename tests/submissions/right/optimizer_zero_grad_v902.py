# verdict:
# variant = "v902"
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        torch.optim.SGD(self.parameters(), lr=0.1).zero_grad()
        w0, w1 = nn.utils.parameters_to_vector(self.parameters()).detach()
        a = w0 * x1
        b = w1 * x2
        y = a * b + x3
        grads = torch.stack([b * x1, a * x2])
        del a, b
        for name, p in self.named_parameters():
            setattr(p, "grad", grads.clone())
        return y
