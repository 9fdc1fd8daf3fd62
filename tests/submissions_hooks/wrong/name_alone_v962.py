# verdict:
# failed = "release left 9"
import os
import tempfile

import torch


def pack_hook(x):
    if x.numel() < 1000:
        return x
    handle, name = tempfile.mkstemp()
    os.close(handle)
    torch.save(x, name)
    return name


def unpack_hook(packed):
    return torch.load(packed) if isinstance(packed, str) else packed
