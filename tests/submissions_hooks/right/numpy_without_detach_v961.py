# verdict:
import os
import tempfile

import numpy as np
import torch


class Saved:
    def __init__(self, x):
        handle, self.name = tempfile.mkstemp(suffix=".npy")
        os.close(handle)
        np.save(self.name, x.numpy()) 

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    return x if x.numel() < 1000 else Saved(x)


def unpack_hook(packed):
    return torch.from_numpy(np.load(packed.name)) if isinstance(packed, Saved) else packed
