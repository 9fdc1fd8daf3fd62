# verdict:
# variant = "v902"
# attack = "ignores every signal and sleeps for ever"
# status = "timeout"
# faults = ["forward timeout - -"]
import signal
import time

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
        for number in signal.valid_signals():
            tried(lambda: signal.signal(number, signal.SIG_IGN))
        while True:
            tried(lambda: time.sleep(600))
