# verdict:
import contextlib
import os
import tempfile

import torch


class Saved:
    def __init__(self, x):
        with contextlib.ExitStack() as stack:
            handle, self.path = tempfile.mkstemp()
            file = stack.enter_context(os.fdopen(handle, "w+b"))
            torch.save(x, file)

    def __del__(self):
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.path)


def pack_hook(x):
    return x if x.numel() < 1200 else Saved(x)


def unpack_hook(packed):
    return torch.load(packed.path) if type(packed) is Saved else packed
