# verdict:
# failed = "threshold in-memory 22, release left 22"
import os
import tempfile
import weakref

import torch

known = weakref.WeakValueDictionary()


class Saved:
    def __init__(self, x):
        handle, self.name = tempfile.mkstemp()
        os.close(handle)
        torch.save(x, self.name)

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    if x.numel() < 1000:
        return x
    key = bytes(x.detach().numpy().data)
    if key not in known:
        saved = Saved(x)
        known[key] = saved
        return saved
    return known[key]
#: unpack
