import os
import tempfile

import numpy as np
import torch

folder = tempfile.mkdtemp()


class SavedArray:
    def __init__(self, x):
        self.name = os.path.join(folder, f"{id(x)}.npy")
        np.save(self.name, x.detach().numpy())

    def __del__(self):
        if os.path.exists(self.name):
            os.remove(self.name)


def pack_hook(x):
    return SavedArray(x) if x.numel() >= 1000 else x.detach()


def unpack_hook(packed):
    return torch.from_numpy(np.load(packed.name)) if isinstance(packed, SavedArray) else packed
