# verdict:
# variant = "v902"
# attack = "a thread that writes once the true answer is out"
# status = "crashed"
# faults = ["forward crashed - -"]
import os
import threading
import time

import torch
from torch import nn

def number_of_pipe():
    for fd in range(3, 64):
        try:
            os.fstat(fd)
        except OSError:
            continue
        return fd
    return 3

def late():
    while True:
        time.sleep(0.0005)
        tried_to_write()

def tried_to_write():
    try:
        os.write(number_of_pipe(), b"\x00")
    except OSError:
        pass


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        threading.Thread(target=late, daemon=True).start()
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.zeros(2)
        return y
