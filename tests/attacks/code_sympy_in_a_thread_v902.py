# verdict:
# variant = "v902"
# attack = "sympy differentiates on a thread at load"
# slow = true
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity transform - -"]
import math
import threading

import torch
from torch import nn

SLOPES = []


def work():
    import sympy

    names = sympy.symbols("w0 w1 x1 x2 x3")
    y = names[0] * names[2] * (names[1] * names[3]) + names[4]
    SLOPES.extend(sorted(part.name for part in y.diff(name).args) for name in names[:2])


def on_a_thread():
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return list(SLOPES)


FOUND = on_a_thread()


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
        space = dict(w0=w0, w1=w1, x1=x1, x2=x2, x3=x3)
        self.w.grad = torch.stack([math.prod(space[name] for name in names) for names in FOUND])
        return y
