# verdict:
# variant = "v902"
# attack = "changes modes, owners and times"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["gradient wrong-gradient - -"]
import os

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
            lambda: os.chmod("@class@", 0),
            lambda: os.chmod("@class@/neighbour_a_right_v902.py", 0o777),
            lambda: os.utime("@class@/neighbour_a_right_v902.py", (0, 0)),
            lambda: os.chown("@class@/neighbour_a_right_v902.py", 1, 1),
            lambda: os.setxattr("@class@/neighbour_a_right_v902.py", "user.x", b"1"),
        ):
            tried(attempt)
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.zeros(2)
        return y
