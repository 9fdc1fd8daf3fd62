# verdict:
# variant = "v902"
# attack = "says that it could not be loaded, with a text of its own"
# status = "unreadable"
# faults = ["forward problem - -"]
import os

import msgspec

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


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([0.5, 0.25]))

    def forward(self, x1, x2, x3):
        w0, w1 = self.w
        return w0 * x1 * (w1 * x2) + x3

    def my_forward_backward(self, x1, x2, x3):
        body = msgspec.msgpack.encode({"type": "problem", "kind": "x" * 9000, "message": "\x1b[31m" * 9000,
                                       "way_out": "100 points", "span": [0, 10**9, -5, 3, 3]})
        os.write(number_of_pipe(), len(body).to_bytes(4, "big") + body)
        os._exit(0)
