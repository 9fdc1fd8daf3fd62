# verdict:
# variant = "v901"
# notes = ["judged on 400 points"]
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2):
        w0, w1 = self.w
        return torch.relu(w0 * x1) + w1 * x2

    def my_forward_backward(self, x1, x2):
        w0, w1 = self.w
        a = w0 * x1
        positive = a.item() > 0
        y = a.clamp(min=0) + w1 * x2
        del a
        dw0 = x1 if positive else torch.zeros(())
        dw1 = x2
        self.w.grad = torch.stack([dw0, dw1])
        return y
