# verdict:
# gradient = "partial 17.5: raises 18"
import os
import tempfile

import numpy as np
import torch


class Saved:
    def __init__(self, x):
        self.shape = x.shape
        handle, self.name = tempfile.mkstemp()
        os.close(handle)
        x.detach().numpy().tofile(self.name)

    def load(self):
        return torch.from_numpy(np.fromfile(self.name, np.float32)).reshape(self.shape)

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    return x if x.numel() < 600 else Saved(x)


def unpack_hook(packed):
    return packed.load() if isinstance(packed, Saved) else packed
