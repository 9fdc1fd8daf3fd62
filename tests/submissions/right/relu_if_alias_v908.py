# verdict:
# variant = "v908"
# why = "a linear function behind a relu needs hardly any backward"
# notes = ["judged on 400 points"]
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2):
        w0, w1 = self.w
        return torch.relu(w0 * x1 - w1 * x2)

    def my_forward_backward(self, x1, x2):
        w0, w1 = self.w
        d = w0 * x1 - w1 * x2
        if d > 0:
            self.w.grad = torch.stack([x1, -x2])
            return d
        self.w.grad = torch.zeros(2)
        return d * 0
