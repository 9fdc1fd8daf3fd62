# verdict:
# variant = "v902"
# attack = "autograd inside a string given to exec"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity autograd - -"]
import torch
from torch import nn

CODE = """
with torch.enable_grad():
    w = p.detach().clone().requires_grad_()
    y = w[0] * x[0] * (w[1] * x[1]) + x[2]
    y.backward()
g, y = w.grad, y.detach()
"""


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        space = {"torch": torch, "x": (x1, x2, x3), "p": self.w}
        exec(CODE, space)
        self.w.grad = space["g"]
        return space["y"]
