# verdict:
# failed = "release left 15"
import os
import tempfile

import torch


class TempFile:
    def __init__(self):
        handle, self.name = tempfile.mkstemp()
        os.close(handle)


def pack_hook(x):
    if x.numel() < 1000:
        return x
    packed = TempFile()
    torch.save(x, packed.name)
    return packed
#: unpack
