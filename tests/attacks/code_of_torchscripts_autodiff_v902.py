# verdict:
# variant = "v902"
# attack = "torch's compiler differentiates a graph, and its graph is run"
# slow = true
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform - -"]
import torch
from torch import nn

def part(w0, x1, w1, x2):
    return w0 * x1 * (w1 * x2)


def graphs():
    leaves = tuple(torch.rand((), requires_grad=True) for _ in range(4))
    graph = torch.jit.trace(part, leaves).graph
    torch._C._jit_pass_complete_shape_analysis(graph, leaves, True)
    return torch._C._create_function_from_graph("back", torch._C._jit_differentiate(graph).df)


BACK = graphs()


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

        zero = torch.zeros(())
        rest = [w0 * x1, None, None, w1 * x2, None, None, None, None]
        back = BACK(torch.ones(()), zero, zero, w0, x1, w1, x2, *rest)
        self.w.grad = torch.stack([back[0], back[2]])
        return y
