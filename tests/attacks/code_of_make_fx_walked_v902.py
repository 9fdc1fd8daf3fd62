# verdict:
# variant = "v902"
# attack = "the graph of a gradient that make_fx wrote, walked by a loop of its own"
# slow = true
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform - -"]
import torch
from torch import nn

def variant(w, x1, x2, x3):
    return w[0] * x1 * (w[1] * x2) + x3


from torch.fx.experimental.proxy_tensor import make_fx

GRAPH = make_fx(torch.func.grad(variant))(torch.rand(2), *torch.rand(3))

STEPS = [(n.op, n.name, n.target, [getattr(a, "name", a) for a in n.args]) for n in GRAPH.graph.nodes]


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
        for op, name, target, args in STEPS:
            args = [values[a] if isinstance(a, str) else a for a in args]
            if op == "placeholder":
                values[name] = given.pop(0)
            elif op == "output":
                self.w.grad = args[0]
            else:
                values[name] = target(*args)
        return y
