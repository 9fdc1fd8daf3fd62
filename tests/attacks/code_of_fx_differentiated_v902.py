# verdict:
# variant = "v902"
# attack = "torch.fx traces forward; rules of its own differentiate that graph"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform - -"]
import operator

import torch
from torch import nn

def variant(w, x1, x2, x3):
    return w[0] * x1 * (w[1] * x2) + x3


GRAPH = torch.fx.symbolic_trace(variant).graph


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

        values, given = {}, [self.w.detach(), x1, x2, x3]
        for node in GRAPH.nodes:
            args = [values[a] if isinstance(a, torch.fx.Node) else a for a in node.args]
            if node.op == "placeholder":
                values[node] = given.pop(0)
            elif node.op != "output":
                values[node] = node.target(*args)
        adjoints = {node: 0.0 for node in GRAPH.nodes}
        for node in reversed(GRAPH.nodes):
            if node.op == "output":
                adjoints[node.args[0]] = torch.ones(())
            elif node.target is operator.add:
                for part in node.args:
                    adjoints[part] = adjoints[part] + adjoints[node]
            elif node.target is operator.mul:
                a, b = node.args
                adjoints[a] = adjoints[a] + adjoints[node] * values[b]
                adjoints[b] = adjoints[b] + adjoints[node] * values[a]
        slopes = [adjoints[node] for node in GRAPH.nodes if node.target is operator.getitem]
        self.w.grad = torch.stack(slopes)
        return y
