# verdict:
import os
import tempfile
import weakref

import numpy as np
import torch


class Stored:
    def __init__(self, x):
        self.shape, self.dtype = tuple(x.shape), x.detach().numpy().dtype
        handle, self.path = tempfile.mkstemp()
        os.close(handle)
        x.detach().numpy().tofile(self.path)
        weakref.finalize(self, os.remove, self.path)

    def read(self):
        return torch.from_numpy(np.fromfile(self.path, self.dtype).reshape(self.shape))


def pack_hook(x):
    return Stored(x) if x.numel() >= 1000 else x


def unpack_hook(packed):
    return packed.read() if isinstance(packed, Stored) else packed
