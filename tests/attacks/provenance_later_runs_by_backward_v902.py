# verdict:
# variant = "v902"
# attack = "by hand in the first eight runs, by autograd afterwards"
# why = "an honest twin: submissions/right/counts_its_calls_v902.py"
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
        self.calls = 0

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        self.calls += 1
        w0, w1 = self.w
        a = w0 * x1
        b = w1 * x2
        y = a * b + x3 + 0 * torch.sort(torch.stack([x1, x2])).values.sum()
        if self.calls <= 8:
            self.w.grad = torch.stack([b * x1, a * x2])
            return y
        with torch.enable_grad():
            self.forward(x1, x2, x3).backward()
        return y
