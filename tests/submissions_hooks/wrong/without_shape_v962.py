# verdict:
# failed = "gradient raises 28"
import os
import tempfile

import numpy as np
import torch


class Saved:
    def __init__(self, x):
        handle, self.name = tempfile.mkstemp()
        self.dtype = x.detach().numpy().dtype
        os.close(handle)
        x.detach().numpy().tofile(self.name)

    def load(self):
        return torch.from_numpy(np.fromfile(self.name, self.dtype))

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    return x if x.numel() < 1000 else Saved(x)


def unpack_hook(packed):
    return packed.load() if isinstance(packed, Saved) else packed
