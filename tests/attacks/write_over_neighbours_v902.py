# verdict:
# variant = "v902"
# attack = "writes over, renames and removes its neighbours"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["gradient wrong-gradient - -"]
import os
import shutil

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
            lambda: open("@class@/neighbour_a_right_v902.py", "w").write(""),
            lambda: os.truncate("@class@/neighbour_a_right_v902.py", 0),
            lambda: os.rename("@class@/neighbour_a_right_v902.py", "@class@/gone.py"),
            lambda: os.remove("@class@/neighbour_a_right_v902.py"),
            lambda: shutil.rmtree("@class@"),
        ):
            tried(attempt)
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.zeros(2)
        return y
