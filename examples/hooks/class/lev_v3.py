import os
import tempfile

import torch


class TempFile:
    def __init__(self):
        handle, self.name = tempfile.mkstemp()
        os.close(handle)

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    file = TempFile()
    if x.numel() < 1000:
        return x.detach()
    torch.save(x, file.name)
    file.x = x.detach()
    return file


def unpack_hook(packed):
    return packed if isinstance(packed, torch.Tensor) else packed.x
