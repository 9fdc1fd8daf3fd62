# verdict:
# variant = "v902"
# attack = "writes through torch, numpy, sqlite, logging and tempfile"
# gradient = "failed 0"
# unused-nodes = "failed 0"
# release = "failed 0"
# faults = ["gradient wrong-gradient - -"]
import logging
import sqlite3
import tempfile

import numpy as np

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
            lambda: torch.save(self.w, "@outside@/t.pt"),
            lambda: np.save("@outside@/n.npy", np.ones(3)),
            lambda: sqlite3.connect("@outside@/s.db").execute("create table t (x)"),
            lambda: logging.FileHandler("@outside@/l.log").emit(logging.makeLogRecord({})),
            lambda: tempfile.NamedTemporaryFile(delete=False, dir="@outside@"),
            lambda: tempfile.mkdtemp(),
            lambda: np.memmap("@outside@/m", mode="w+", shape=3),
        ):
            tried(attempt)
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.zeros(2)
        return y
