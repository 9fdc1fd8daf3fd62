# verdict:
import os
import tempfile

import numpy as np
import torch


class Saved:
    def __init__(self, x):
        self.dtype, self.shape = x.dtype, x.shape
        handle, self.path = tempfile.mkstemp()
        with os.fdopen(handle, "wb") as file:
            file.write(x.detach().contiguous().view(-1).view(torch.uint8).numpy().tobytes())

    def load(self):
        data = np.fromfile(self.path, np.uint8)
        return torch.from_numpy(data).view(self.dtype).view(self.shape)

    def __del__(self):
        os.remove(self.path)


def pack_hook(x):
    return x if x.numel() < 1000 else Saved(x)


def unpack_hook(packed):
    return packed.load() if isinstance(packed, Saved) else packed
