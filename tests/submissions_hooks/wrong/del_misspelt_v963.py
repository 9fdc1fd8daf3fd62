# verdict:
# failed = "release left 19"
import os
import tempfile

import torch


class Saved:
    def __init__(self, x):
        handle, self.name = tempfile.mkstemp()
        os.close(handle)
        torch.save(x, self.name)

    def __delete__(self):
        os.remove(self.name)


def pack_hook(x):
    return x if x.numel() < 600 else Saved(x)
#: unpack
