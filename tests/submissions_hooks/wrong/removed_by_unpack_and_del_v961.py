# verdict:
# gradient = "partial 29.1667: raises 32"
import os
import tempfile

import torch


class TempFile:
    def __init__(self):
        handle, self.name = tempfile.mkstemp()
        os.close(handle)

    def remove(self):
        if os.path.exists(self.name):
            os.remove(self.name)

    __del__ = remove


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = TempFile()
    torch.save(x, packed.name)
    return packed


def unpack_hook(packed):
    if isinstance(packed, torch.Tensor):
        return packed
    x = torch.load(packed.name)
    packed.remove()
    return x
