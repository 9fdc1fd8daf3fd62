# verdict:
import gzip
import os
import pickle
import tempfile

import torch


class Zipped:
    def __init__(self, x):
        handle, self.path = tempfile.mkstemp(suffix=".gz")
        os.close(handle)
        with gzip.open(self.path, "wb") as file:
            pickle.dump(x.detach().numpy(), file)

    def __del__(self):
        os.remove(self.path)


def pack_hook(x):
    return Zipped(x) if x.numel() >= 1000 else x


def unpack_hook(packed):
    if not isinstance(packed, Zipped):
        return packed
    with gzip.open(packed.path, "rb") as file:
        return torch.from_numpy(pickle.load(file))
