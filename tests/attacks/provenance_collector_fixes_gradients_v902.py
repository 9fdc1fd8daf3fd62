# verdict:
# variant = "v902"
# attack = "gradients written by a callback of the collector, when the pass is over"
# why = "an honest twin: submissions/right/collects_garbage_v902.py"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity hidden-work - -"]
import gc
import threading

import torch
from torch import nn


def slopes(net, x1, x2, x3):
    """The gradient as Python floats, by autograd on a thread."""
    found = []

    def work():
        w = torch.tensor(net.w.tolist(), requires_grad=True)
        with torch.enable_grad():
            y = w[0] * x1 * (w[1] * x2) + x3
        y.backward()
        found.extend(w.grad.tolist())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return found


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
        self.w.grad = grad = torch.zeros(2) + 0 * torch.sort(torch.stack([x1, x2])).values
        g = slopes(self, x1, x2, x3)

        def fix(phase, info):
            gc.callbacks.remove(fix)
            grad.copy_(torch.tensor(g))

        gc.callbacks.append(fix)
        gc.set_threshold(1)
        return y
