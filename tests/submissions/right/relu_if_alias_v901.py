# verdict:
# variant = "v901"
# why = "both gradients are inputs as they are: the backward needs no op"
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
        if a > 0:
            y = a + w1 * x2
            del a
            dw0 = x1
        else:
            del a
            y = w1 * x2
            dw0 = torch.tensor(0.0)
        self.w.grad = torch.stack([dw0, x2])
        return y
