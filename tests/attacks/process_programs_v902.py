# verdict:
# variant = "v902"
# attack = "starts programs in every way"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["gradient wrong-gradient - -"]
import ctypes
import os
import subprocess

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
            lambda: subprocess.Popen(["sleep", "600"], start_new_session=True),
            lambda: os.system("sleep 600 &"),
            lambda: os.posix_spawn("/bin/sleep", ["sleep", "600"], {}),
            lambda: os.popen("sleep 600"),
            lambda: os.execv("/bin/sleep", ["sleep", "600"]),
            lambda: ctypes.CDLL(None).system(b"sleep 600 &"),
        ):
            tried(attempt)
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.zeros(2)
        return y
