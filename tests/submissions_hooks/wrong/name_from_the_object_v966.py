# verdict:
# failed = "release left 17"
import os
import tempfile
import weakref

import torch


class Saved:
    def __init__(self, x):
        handle, self.name = tempfile.mkstemp()
        os.close(handle)
        torch.save(x, self.name)


def pack_hook(x):
    if x.numel() < 1000:
        return x
    saved = Saved(x)
    return saved.name


def unpack_hook(packed):
    return torch.load(packed) if isinstance(packed, str) else packed
