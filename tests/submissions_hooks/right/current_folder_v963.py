# verdict:
import os
import uuid
from pathlib import Path

import torch

CACHE = Path("saved_tensors")
CACHE.mkdir(mode=0o700, exist_ok=True)


class Saved:
    def __init__(self, x):
        self.path = CACHE / f"{uuid.uuid4()}.pt"
        torch.save(x, self.path)

    def load(self):
        return torch.load(self.path)

    def __del__(self):
        self.path.unlink(missing_ok=True)


def pack_hook(x):
    return Saved(x) if x.numel() >= 600 else x


def unpack_hook(packed):
    return packed.load() if isinstance(packed, Saved) else packed
