# verdict:
# variant = "v902"
# attack = "gradients written by a signal's handler that waits until an op is being noted"
# why = "an honest twin: submissions/right/collects_garbage_v902.py"
# manual-forward = "failed 0"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# integrity = "failed 0"
# faults = ["manual-forward hidden-work - -", "integrity hidden-work - -"]
import ctypes
import gc
import signal

import torch
from torch import nn


def differences(w0, w1, x1, x2, x3):
    """The gradient by central differences of Python floats."""

    def f(a, b):
        return a * x1 * (b * x2) + x3

    h = 1e-4
    return [(f(w0 + h, w1) - f(w0 - h, w1)) / (2 * h), (f(w0, w1 + h) - f(w0, w1 - h)) / (2 * h)]


def slopes(net, *inputs):
    """The same, of numbers read straight from memory."""
    start = net.w.untyped_storage().data_ptr()
    numbers = [ctypes.c_float.from_address(start + 4 * i).value for i in range(2)]
    numbers += [ctypes.c_float.from_address(x.untyped_storage().data_ptr()).value for x in inputs]
    return differences(*numbers)


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
        grad = torch.zeros(2) + 0 * torch.sort(torch.stack([x1, x2])).values
        self.w.grad = grad

        def work(number, frame):
            if frame.f_code.co_name != "my_forward_backward" or gc.isenabled():
                signal.setitimer(signal.ITIMER_REAL, 0)
                grad.copy_(torch.tensor(slopes(self, x1, x2, x3)))
                done.append(True)

        done = []
        signal.signal(signal.SIGALRM, work)
        signal.setitimer(signal.ITIMER_REAL, 1e-4, 1e-4)
        for _ in range(1000):
            y = y + 0.0
            if done:
                break
        return y
