# verdict:
# failed = "release left 18"
import atexit
import os
import tempfile

import torch

paths = []


@atexit.register
def clean():
    for path in paths:
        os.remove(path)


def pack_hook(x):
    if x.numel() < 1000:
        return x
    handle, name = tempfile.mkstemp()
    os.close(handle)
    paths.append(name)
    torch.save(x, name)
    return name


def unpack_hook(packed):
    return torch.load(packed) if isinstance(packed, str) else packed
