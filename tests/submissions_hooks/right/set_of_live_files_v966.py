# verdict:
import os
import tempfile
import weakref

import torch

live = weakref.WeakSet()


class Saved:
    def __init__(self, x):
        handle, self.name = tempfile.mkstemp()
        os.close(handle)
        torch.save(x, self.name)
        live.add(self)

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    return x if x.numel() < 1000 else Saved(x)
#: unpack
