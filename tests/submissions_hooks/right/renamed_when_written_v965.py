# verdict:
import os
import tempfile

import torch


class Saved:
    def __init__(self, x):
        handle, name = tempfile.mkstemp(suffix=".part")
        with os.fdopen(handle, "wb") as file:
            torch.save(x, file)
            file.flush()
            os.fsync(file.fileno())
        self.name = name.removesuffix(".part") + ".pt"
        os.replace(name, self.name)

    def __del__(self):
        os.remove(self.name)


def pack_hook(x):
    return x if x.numel() < 1200 else Saved(x)
#: unpack
