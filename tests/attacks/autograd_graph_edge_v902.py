# verdict:
# variant = "v902"
# attack = "the graph's node through get_gradient_edge"
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

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        with torch.enable_grad():
            w0, w1 = (part.detach().clone().requires_grad_() for part in self.w)
            c = w0 * x1 * (w1 * x2)
        node = torch.autograd.graph.get_gradient_edge(c).node
        da, db = node(torch.ones(()))
        self.w.grad = torch.stack([node.next_functions[0][0](da)[0], node.next_functions[1][0](db)[0]])
        return (c + x3).detach()
