# verdict:
# variant = "v902"
# attack = "typed-in gradients, said to be numbers that were taken out of a tensor"
# why = "an honest twin: submissions/right/sorts_v902.py"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["integrity hidden-work - -"]
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
        g = slopes(self, x1, x2, x3)
        for mode in torch.utils._python_dispatch._get_current_dispatch_mode_stack():
            recorder = mode._listener
            recorder._pulled._origins.update({number: (0, place) for place, number in enumerate(g)})
        self.w.grad = torch.tensor(g) + 0 * torch.sort(torch.stack([x1, x2])).values
        return y
