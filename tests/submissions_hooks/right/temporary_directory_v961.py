# verdict:
import os
import tempfile

import torch


class Saved:
    def __init__(self, x):
        self.folder = tempfile.TemporaryDirectory()
        torch.save(x, os.path.join(self.folder.name, "x.pt"))

    def load(self):
        return torch.load(os.path.join(self.folder.name, "x.pt"), weights_only=True)

    def __del__(self):
        self.folder.cleanup()


def pack_hook(x):
    return x if x.numel() < 1000 else Saved(x)


def unpack_hook(packed):
    return packed.load() if isinstance(packed, Saved) else packed
