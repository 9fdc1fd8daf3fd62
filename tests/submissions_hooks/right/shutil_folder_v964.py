# verdict:
import os
import shutil
import tempfile

import torch


class Saved:
    def __init__(self, x):
        self.folder = tempfile.mkdtemp()
        torch.save(x, os.path.join(self.folder, "x"))

    def __del__(self):
        shutil.rmtree(self.folder, ignore_errors=True)


def pack_hook(x):
    return x if x.numel() < 1000 else Saved(x)


def unpack_hook(packed):
    return torch.load(os.path.join(packed.folder, "x")) if isinstance(packed, Saved) else packed
