# verdict:
import os
import tempfile

import numpy as np
import torch


class OnDisk:
    def __init__(self, array):
        with tempfile.NamedTemporaryFile(suffix=".npy", delete=False) as file:
            np.save(file, array)
        self.path = file.name

    def __del__(self):
        os.unlink(self.path)


def pack_hook(x):
    if x.numel() < 1000:
        return x.detach()
    return OnDisk(x.detach().numpy())


def unpack_hook(packed):
    if isinstance(packed, OnDisk):
        return torch.from_numpy(np.load(packed.path))
    return packed
