# verdict:
# variant = "v902"
# attack = "torch.jit.trace of a backward at load, whose trace the pass runs"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity autograd - -"]
import torch
from torch import nn

def slopes(w, x1, x2, x3):
    w = w.detach().requires_grad_()
    return torch.autograd.grad(w[0] * x1 * (w[1] * x2) + x3, w)[0]


TRACED = torch.jit.trace(slopes, (torch.rand(2), *torch.rand(3)), check_trace=False)


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
        self.w.grad = TRACED(self.w.detach(), x1, x2, x3)
        return y
