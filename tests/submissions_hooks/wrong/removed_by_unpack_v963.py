# verdict:
# gradient = "partial 29.1667: raises 22"
# failed = "release left 10"
import os
import tempfile

import torch


def pack_hook(x):
    if x.numel() < 600:
        return x
    handle, name = tempfile.mkstemp()
    os.close(handle)
    torch.save(x, name)
    return name


def unpack_hook(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    x = torch.load(packed)
    os.remove(packed)
    return x
