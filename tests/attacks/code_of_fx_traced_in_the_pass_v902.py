# verdict:
# variant = "v902"
# attack = "torch.fx traces in the pass, and its interpreter runs the graph"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform - -"]
import torch
from torch import nn

def variant(w, x1, x2, x3):
    return w[0] * x1 * (w[1] * x2) + x3


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        y = torch.fx.Interpreter(torch.fx.symbolic_trace(variant)).run(self.w.detach(), x1, x2, x3)
        w0, w1 = self.w
        self.w.grad = torch.stack([w1 * x2 * x1, w0 * x1 * x2])
        return y
