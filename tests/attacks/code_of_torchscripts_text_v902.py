# verdict:
# variant = "v902"
# attack = "text that torch's own compiler runs"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform - -"]
import torch
from torch import nn

UNIT = torch.jit.CompilationUnit("def slopes(w0, w1, x1, x2):\n    return torch.stack([w1 * x2 * x1, w0 * x1 * x2])\n")


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = UNIT.slopes(w0, w1, x1, x2)
        return y
