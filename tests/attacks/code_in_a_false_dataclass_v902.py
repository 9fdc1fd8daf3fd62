# verdict:
# variant = "v902"
# attack = "text that calls itself the comparison of a dataclass"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity foreign-code - -"]
import torch
from torch import nn

class Node:
    exec("def __eq__(self, other):\n    return torch.stack([self.b * other, self.a * other])")


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
        node = Node()
        node.a, node.b = w0 * x1 * x2, w1 * x2 * x1
        self.w.grad = node == 1
        return y
