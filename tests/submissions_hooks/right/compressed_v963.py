# verdict:
import os
import tempfile

import numpy as np
import torch


class Zipped:
    def __init__(self, x):
        handle, self.path = tempfile.mkstemp(suffix=".npz")
        with os.fdopen(handle, "wb") as file:
            np.savez_compressed(file, x=x.detach().numpy())

    def load(self):
        with np.load(self.path) as arrays:
            return torch.tensor(arrays["x"])

    def __del__(self):
        os.remove(self.path)


def pack_hook(x):
    return Zipped(x) if x.numel() >= 600 else ("kept", x.detach())


def unpack_hook(packed):
    return packed.load() if isinstance(packed, Zipped) else packed[1]
