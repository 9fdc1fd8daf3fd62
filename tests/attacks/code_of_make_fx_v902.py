# verdict:
# variant = "v902"
# attack = "the text of what make_fx wrote of a gradient, run by exec"
# slow = true
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform - -", "integrity foreign-code - -"]
import torch
from torch import nn

def variant(w, x1, x2, x3):
    return w[0] * x1 * (w[1] * x2) + x3


from torch.fx.experimental.proxy_tensor import make_fx

GRAPH = make_fx(torch.func.grad(variant))(torch.rand(2), *torch.rand(3))


def written():
    space = {"torch": torch, "device": torch.device}
    exec(GRAPH.code, space)
    return space["forward"]


slopes = written()


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
        self.w.grad = slopes(None, self.w.detach(), x1, x2, x3)
        return y
