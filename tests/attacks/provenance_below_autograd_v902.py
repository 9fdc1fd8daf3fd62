# verdict:
# variant = "v902"
# attack = "the engine called from TorchScript"
# why = "an honest twin: submissions/right/sorts_v902.py"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity autograd - -"]
import torch
from torch import nn


SCRIPT = """
def slopes(w, x1, x2, x3):
    y = w[0] * x1 * (w[1] * x2) + x3
    found = torch.autograd.grad([y], [w])[0]
    assert found is not None
    return found
"""
slopes = torch.jit.CompilationUnit(SCRIPT).slopes


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3 + 0 * torch.sort(torch.stack([x1, x2])).values.sum()
        with torch.enable_grad():
            self.w.grad = slopes(self.w.detach().requires_grad_(), x1, x2, x3)
        return y
