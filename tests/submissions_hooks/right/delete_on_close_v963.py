# verdict:
import tempfile

import torch


class Saved:
    def __init__(self, x):
        self.file = tempfile.NamedTemporaryFile(prefix="saved-", suffix=".pt")
        torch.save(x.detach().cpu(), self.file.name)

    def load(self):
        return torch.load(self.file.name, map_location="cpu")

    def __del__(self):
        self.file.close()


def pack_hook(x):
    return x if x.numel() < 600 else Saved(x)


def unpack_hook(packed):
    return packed.load() if isinstance(packed, Saved) else packed
