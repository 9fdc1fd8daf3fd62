# verdict:
# gradient = "partial 29.1667: wrong-gradient 29"
import os
import tempfile

import numpy as np
import torch


class Saved:
    def __init__(self, x):
        self.shape, array = x.shape, x.detach().numpy()
        self.dtype = array.dtype
        handle, self.name = tempfile.mkstemp()
        with os.fdopen(handle, "wb") as file:
            file.write(array.tobytes("A"))

    def load(self):
        return torch.from_numpy(np.fromfile(self.name, self.dtype)).reshape(self.shape)

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    return x if x.numel() < 1000 else Saved(x)


def unpack_hook(packed):
    return packed.load() if isinstance(packed, Saved) else packed
