# verdict:
# why = "a mapped file that gets its mode afterwards"
import os
import tempfile

import numpy as np
import torch


class Mapped:
    def __init__(self, x):
        array = x.detach().numpy()
        handle, self.path = tempfile.mkstemp()
        os.close(handle)
        self.map = np.memmap(self.path, array.dtype, "r+", shape=array.shape)
        self.map[...] = array
        os.chmod(self.path, 0o600)

    def __del__(self):
        os.remove(self.path)


def pack_hook(x):
    return Mapped(x) if x.numel() >= 1000 else x


def unpack_hook(packed):
    return torch.from_numpy(packed.map) if isinstance(packed, Mapped) else packed
