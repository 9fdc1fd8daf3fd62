# verdict:
# variant = "v908"
# why = "a branch that leaves a number behind"
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
        sign = 1.0 if d.item() > 0 else 0.0
        y = d * sign
        del d
        dw0 = sign * x1
        dw1 = -sign * x2
        self.w.grad = torch.stack([dw0, dw1])
        return y
