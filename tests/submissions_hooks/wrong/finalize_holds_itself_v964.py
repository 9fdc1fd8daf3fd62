# verdict:
# failed = "release left 21"
import os
import tempfile
import weakref

import torch


class Saved:
    def __init__(self, x):
        handle, self.name = tempfile.mkstemp()
        os.close(handle)
        torch.save(x, self.name)
        weakref.finalize(self, self.close)

    def close(self):
        os.remove(self.name)


def pack_hook(x):
    return x if x.numel() < 1000 else Saved(x)
#: unpack
