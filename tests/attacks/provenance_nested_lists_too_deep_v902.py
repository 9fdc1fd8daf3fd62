# verdict:
# variant = "v902"
# attack = "a gradient in lists as deep as a recording may not be, typed in by hidden work"
# why = "an honest twin: submissions/right/nested_lists_v902.py"
# manual-forward = "failed 0"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["manual-forward hidden-work - -", "integrity hidden-work - -"]
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
        data = slopes(self, x1, x2, x3)
        for _ in range(9):
            data = [data]
        self.w.grad = torch.tensor(data).reshape(2)
        return y
