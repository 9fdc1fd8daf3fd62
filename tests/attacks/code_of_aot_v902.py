# verdict:
# variant = "v902"
# attack = "AOTAutograd's backward graph, taken at load and run by the pass"
# slow = true
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform - -"]
import torch
from torch import nn

from torch._functorch.aot_autograd import aot_function


def part(w0, x1, w1, x2):
    return w0 * x1 * (w1 * x2)


def graphs():
    kept = []

    def keep(graph, example):
        kept.append(graph)
        return graph

    leaves = tuple(torch.rand((), requires_grad=True) for _ in range(4))
    aot_function(part, keep, keep)(*leaves).backward()
    return kept


KEPT = graphs()


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
        _, *kept = KEPT[0](w0, x1, w1, x2)
        slopes = KEPT[1](*kept, torch.ones(()))
        self.w.grad = torch.stack([slopes[0], slopes[2]])
        return y
